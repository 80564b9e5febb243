/** What is made by whoever asks first, and kept for all. Where making it failed, whoever asks next makes it anew. */
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

  /** What is there or being made; undefined where nobody has asked, or making it failed. */
  made(): Promise<Value> | undefined {
    return this.#made
  }
}
