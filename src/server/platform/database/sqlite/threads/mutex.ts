/** Lets one through at a time, in the order of their coming. */
export class Mutex {
  #isHeld = false
  readonly #waiting: (() => void)[] = []

  /** Resolves with one's turn; everyone who acquires it must release it. */
  async acquire(): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    await promise
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isHeld = false
    else next()
  }
}
