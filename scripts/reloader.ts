export interface ReloaderOptions<Running> {
  /** Reads the sources, and resolves with a function that starts them. If it rejects, the running version continues. */
  readonly prepare: () => Promise<() => Promise<Running>>
  readonly stop: (running: Running) => Promise<void>
  readonly onFault: (error: unknown) => void
}

/** Restarts a program on request, one restart at a time. After a failed restart, the next request tries again. */
export class Reloader<Running> {
  readonly #parts: ReloaderOptions<Running>
  #running: Running | undefined
  #fault: unknown
  #last: Promise<boolean> = Promise.resolve(false)

  constructor(parts: ReloaderOptions<Running>) {
    this.#parts = parts
  }

  /** Resolves with whether the new version runs. An error is reported, never thrown. */
  reload(): Promise<boolean> {
    this.#last = this.#last.then(() => this.#reload())
    return this.#last
  }

  /**
   * The running version, after a reload in progress has ended.
   * @throws the error of the last start, if nothing runs
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
      // From here on the old version gets no requests, even if its stop or the next start fails.
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

/** A fault that its message explains completely, without a stack trace. */
export class OperatorFault extends Error {}

/** Describes an error for the terminal and the page. An error in the code comes with its stack. */
export function describeFault(error: unknown): string {
  if (error instanceof OperatorFault) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * Whether open pages must be reloaded after the server has restarted. Vite updates shared stylesheets and the form's
 * components without a reload, which keeps the visitor's input.
 */
export const needsReload = (path: string): boolean =>
  !path.includes('/src/site/enquiry/') && !/\/src\/ui\/.*\.css$/.test(path)
