export interface Reloadable<Running> {
  /** Reads what is to run, and resolves with what starts it. Where it rejects, what runs goes on. */
  readonly prepare: () => Promise<() => Promise<Running>>
  readonly stop: (running: Running) => Promise<void>
  readonly onFault: (error: unknown) => void
}

/** Starts something over each time that it is told to, one time after the other, whatever became of the time before. */
export class Reloader<Running> {
  readonly #parts: Reloadable<Running>
  #running: Running | undefined
  #fault: unknown
  #last: Promise<boolean> = Promise.resolve(false)

  constructor(parts: Reloadable<Running>) {
    this.#parts = parts
  }

  /** Resolves with whether it runs anew; a fault is told, never thrown. */
  reload(): Promise<boolean> {
    this.#last = this.#last.then(() => this.#reload())
    return this.#last
  }

  /**
   * What runs, once a reload under way is over.
   * @throws what the last start met, where nothing runs
   */
  async current(): Promise<Running> {
    await this.#last
    if (this.#running === undefined) throw this.#fault
    return this.#running
  }

  async #reload(): Promise<boolean> {
    const { prepare, stop, onFault } = this.#parts
    try {
      const start = await prepare()
      const before = this.#running
      // From here on it is none to be asked, even where its stop or the next start fails.
      this.#running = undefined
      if (before !== undefined) await stop(before)
      this.#running = await start()
      return true
    } catch (error) {
      this.#fault = error
      onFault(error)
      return false
    }
  }
}
