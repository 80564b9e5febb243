/** Lets one through at a time, in the order of their coming. */
export class Turns {
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  /** Resolves with one's turn; everyone who takes it must end it. */
  async take(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    await promise
  }

  end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  }
}
