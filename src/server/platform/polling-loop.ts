import type { LoopFailureLog } from './observability/failure-log.ts'

export interface Failing {
  /** Logs a lasting failure once a minute. */
  readonly failureLog: LoopFailureLog
  /** The pause after a failure, in milliseconds. */
  readonly againAfter: number
}

/** Repeats work, with a pause in between, until it is stopped. */
export class PollingLoop {
  readonly #work: () => Promise<number>
  readonly #failing: Failing
  readonly #wakeUp = new WakeUp()
  #isStopping = false
  #loop: Promise<void> | undefined

  /** @param work resolves with the pause before the next run, in milliseconds */
  constructor(work: () => Promise<number>, failing: Failing) {
    this.#work = work
    this.#failing = failing
  }

  /** Long work checks this in order to end early. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Ends the current pause. */
  wake(): void {
    this.#wakeUp.signal()
  }

  /** Stops the loop, and waits for the running work. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#wakeUp.signal()
    await this.#loop
  }

  /** Pauses within the work. A stop ends the pause early. */
  async pause(ms: number): Promise<void> {
    await this.#wakeUp.within(ms)
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const waitMs = await this.#workOrTell()
      if (!this.#isStopping) await this.pause(waitMs)
    }
  }

  async #workOrTell(): Promise<number> {
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

/** Wakes one waiting loop. A signal that comes before the wait is not lost. */
export class WakeUp {
  #isRung = false
  #ring: (() => void) | undefined

  signal(): void {
    this.#isRung = true
    this.#ring?.()
  }

  /** Resolves at a signal or after `ms` milliseconds, with whether there was a signal. */
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
