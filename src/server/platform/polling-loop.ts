import type { LoopFailureLog } from './observability/failure-log.ts'

export interface FailureState {
  /** Logs a lasting failure once a minute. */
  readonly failureLog: LoopFailureLog
  /** The pause after a failure, in milliseconds. */
  readonly againAfter: number
}

/** Repeats work, with a pause in between, until it is stopped. */
export class PollingLoop {
  readonly #work: () => Promise<number>
  readonly #failing: FailureState
  #isStopping = false
  #isWoken = false
  #endPause: () => void = () => undefined
  #loop: Promise<void> | undefined

  /** @param work resolves with the pause before the next run, in milliseconds */
  constructor(work: () => Promise<number>, failing: FailureState) {
    this.#work = work
    this.#failing = failing
  }

  /** Long work checks `isStopping` in order to end early. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Ends the current pause, or the next one if the work is in progress. */
  wake(): void {
    this.#isWoken = true
    this.#endPause()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.wake()
    await this.#loop
  }

  /** Pauses within the work. Calling `stop` ends the pause early. */
  async pause(ms: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#endPause = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isWoken = false
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const waitMs = await this.#workOrLog()
      if (!this.#isStopping) await this.pause(waitMs)
    }
  }

  async #workOrLog(): Promise<number> {
    const { failureLog, againAfter } = this.#failing
    try {
      const waitMs = await this.#work()
      failureLog.succeeded()
      return waitMs
    } catch (error) {
      failureLog.failed(error)
      return againAfter
    }
  }
}
