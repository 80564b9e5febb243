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

/** A fault that its message explains. A stack would only show lines of our code. */
export class OperatorFault extends Error {}

/** For the terminal and the page. An error in the code comes with its stack. */
export function describeFault(error: unknown): string {
  if (error instanceof OperatorFault) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * What open pages need after a change, once the server has started over. Vite updates a stylesheet and the form's
 * components by itself, and keeps what was typed. The console runs no components in the browser, so it reloads for those.
 */
export function pagesToReload(path: string): 'site and console' | 'console' | 'none' {
  const isUpdatedByVite = path.includes('/src/site/enquiry/') || path.includes('/src/ui/')
  if (!isUpdatedByVite) return 'site and console'
  return path.includes('/src/ui/') && path.endsWith('.tsx') ? 'console' : 'none'
}
