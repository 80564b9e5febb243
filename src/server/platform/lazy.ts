/** A value that the first caller creates and all callers share. After a failure the next caller tries again. */
export class Lazy<Value> {
  readonly #make: () => Promise<Value>
  #made: Promise<Value> | undefined

  constructor(make: () => Promise<Value>) {
    this.#make = make
  }

  get(): Promise<Value> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined
      throw error
    })
    return this.#made
  }

  /** The value or its pending promise; undefined before the first call and after a failure. */
  made(): Promise<Value> | undefined {
    return this.#made
  }
}
