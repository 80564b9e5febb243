import type { LoopFailureLog } from '../observability/failure-log.ts'
import { WakeUp } from './wake-up.ts'

export interface Failing {
  /** The store's, which is told seldom. */
  readonly failureLog: LoopFailureLog
  /** How soon what has failed is tried again, in milliseconds. */
  readonly againAfter: number
}

/** Work that is done again and again, with a wait between, until it is told to stop. */
export class PollingLoop {
  readonly #work: () => Promise<number>
  readonly #failing: Failing
  readonly #wakeUp = new WakeUp()
  #isStopping = false
  #loop: Promise<void> | undefined

  /** @param work resolves with how long to wait for the next time, in milliseconds */
  constructor(work: () => Promise<number>, failing: Failing) {
    this.#work = work
    this.#failing = failing
  }

  /** For work that takes long: it ends early then. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Ends the wait for the next time. */
  wake(): void {
    this.#wakeUp.signal()
  }

  /** Waits for the work under way. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#wakeUp.signal()
    await this.#loop
  }

  /** A wait within the work, which a stop cuts short. */
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
