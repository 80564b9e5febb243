/** A bell that one loop waits for. A ring that comes before the wait is not lost. */
export class WakeUp {
  #isRung = false
  #ring: (() => void) | undefined

  signal(): void {
    this.#isRung = true
    this.#ring?.()
  }

  /** Resolves when the bell has rung, or after `ms` milliseconds. */
  async within(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#ring = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#ring = undefined
    this.#isRung = false
  }
}
