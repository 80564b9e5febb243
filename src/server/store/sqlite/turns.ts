/** Lets one through at a time, in the order of their coming; who is urgent goes before all who wait. */
export class Turns {
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  /** Resolves with one's turn; everyone who takes it must end it. */
  async take(urgency: 'urgent' | 'in turn' = 'in turn'): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    if (urgency === 'urgent') this.#waiting.unshift(resolve)
    else this.#waiting.push(resolve)
    await promise
  }

  end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  }
}
