/**
 * Arrivals share a connection with transactions of several messages, and are not to be stored as a part of those: a
 * rollback would take them along.
 */
export class BetweenTransactions {
  readonly #isOpen: () => boolean
  #waiting: (() => void)[] = []

  /** @param isOpen whether a transaction is open now */
  constructor(isOpen: () => boolean) {
    this.#isOpen = isOpen
  }

  /** Runs it as soon as no transaction is open. */
  async run<Result>(run: () => Result): Promise<Result> {
    while (this.#isOpen()) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
    return run()
  }

  /** To be called after whatever may have ended a transaction. */
  look(): void {
    if (this.#isOpen()) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
