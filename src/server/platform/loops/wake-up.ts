/** A bell that one loop waits for. A ring that comes before the wait is not lost. */
export class WakeUp {
  #isRung = false
  #ring: (() => void) | undefined

  signal(): void {
    this.#isRung = true
    this.#ring?.()
  }

  /** Resolves when the bell has rung, or after `ms` milliseconds; with whether it has rung. */
  async within(ms: number): Promise<boolean> {
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
    const isRung = this.#isRung
    this.#isRung = false
    return isRung
  }
}
