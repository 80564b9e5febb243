import { randomUUIDv7 } from 'node:crypto'
import type { Logger } from 'pino'
import { membersKeptFor, plansKeptFor } from '#domain/job/job.ts'
import { reasonOfFailure } from '#server/platform/faults/sanitize-error.ts'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import { actStep, gatherStep, planStep, type StepPorts, type Stepped } from '../job-steps.ts'
import type { HeldJob } from '../job-store.ts'
import { JobPace } from './job-pace.ts'

export interface JobRunnerPorts extends StepPorts {
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  /** The store's, which is told seldom. */
  readonly failureLog: LoopFailureLog
}

/** After a crash another process goes on so much later, in milliseconds. */
const leaseMs = 15_000

/** How soon a job is found that another process has made, in milliseconds. */
const lookEvery = 1000

/** After a step that failed, in milliseconds. */
const againAfter = 1000

/** Side by side in one process: a slow one holds up no other. */
const mostHeld = 4

/** One lead that fails so often is passed over. */
const mostTries = 3

const tidyEvery = 60 * 60 * 1000
/** Between two batches of what is kept no longer, in milliseconds. */
const tidyPauseMs = 100

interface Held {
  job: HeldJob
  readonly pace: JobPace
  /** When its next step is, by the process's own clock in milliseconds. */
  at: number
  /** How often the lead that is next has failed; one at a time from the first failure on. */
  tries: number
  /** So many are taken one at a time, as one of them failed. */
  alone: number
}

/**
 * Works at jobs, a step at a time. It may run in any number of processes: a job is worked at by who
 * has its lease, and what ends with a process goes on in another.
 */
export class JobRunner {
  readonly #ports: JobRunnerPorts
  readonly #lease = randomUUIDv7()
  readonly #loop: PollingLoop
  #held: Held[] = []
  #lookAt = 0
  #tidyAt = 0

  constructor(ports: JobRunnerPorts) {
    this.#ports = ports
    this.#loop = new PollingLoop(() => this.#step(), { failureLog: ports.failureLog, againAfter })
  }

  start(): void {
    this.#loop.start()
  }

  /** There is something to do. */
  wake(): void {
    this.#lookAt = 0
    this.#loop.wake()
  }

  /** Finishes the step under way; another process may go on at once. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    if (this.#held.length === 0) return
    await this.#ports.work.giveBack(this.#lease).catch(() => undefined)
  }

  /** @returns how long to wait for the next one, in milliseconds */
  async #step(): Promise<number> {
    await this.#look()
    for (const held of this.#held) {
      if (held.at <= performance.now()) await this.#workAt(held)
      if (this.#loop.isStopping) break
    }
    await this.#tidy()
    const next = Math.min(this.#lookAt, this.#tidyAt, ...this.#held.map(({ at }) => at))
    return Math.max(0, next - performance.now())
  }

  async #look(): Promise<void> {
    if (this.#lookAt > performance.now()) return
    const { work } = this.#ports
    while (this.#held.length < mostHeld) {
      const ids = this.#held.map(({ job }) => job.id)
      const job = await work.claim(this.#asLease(), ids)
      if (job === undefined) break
      const pace = new JobPace()
      this.#held.push({ job, pace, at: 0, tries: 0, alone: 0 })
    }
    this.#lookAt = performance.now() + lookEvery
  }

  async #workAt(held: Held): Promise<void> {
    const { job, pace } = held
    const take = held.alone > 0 ? 1 : pace.next(job)
    const begunAt = performance.now()
    let stepped: Stepped
    try {
      stepped = await this.#stepOf(job, take)
    } catch (error) {
      return this.#failed(held, take, error)
    }
    this.#ended(held, stepped, pace.took(performance.now() - begunAt, stepped.leads, job))
  }

  #stepOf(job: HeldJob, take: number, failure?: string): Promise<Stepped> {
    const lease = this.#asLease()
    if (job.phase === 'planning') return planStep(this.#ports, job, lease, take)
    if (job.phase === 'gathering') return gatherStep(this.#ports, job, lease, take)
    return actStep(this.#ports, job, lease, { take, failure })
  }

  #ended(held: Held, { job, leads }: Stepped, pause: number): void {
    held.tries = 0
    held.alone = Math.max(0, held.alone - leads)
    held.at = performance.now() + pause
    if (job === undefined) this.#held = this.#held.filter((one) => one !== held)
    else held.job = job
  }

  /** What may be a lead's own fault is tried alone, then passed over; what is the store's, until it can be used again. */
  async #failed(held: Held, take: number, error: unknown): Promise<void> {
    const { log, failureLog } = this.#ports
    const { job } = held
    const reason = job.phase === 'running' ? reasonOfFailure(error) : undefined
    held.at = performance.now() + againAfter
    if (reason === undefined) return failureLog.failed(error, { jobId: job.id })
    if (take > 1) {
      held.alone = take
      held.at = 0
      return
    }
    if (++held.tries < mostTries) return
    log.error({ err: error, jobId: job.id }, 'a job passes over a lead, as its act fails')
    try {
      this.#ended(held, await this.#stepOf(job, 1, reason), 0)
    } catch (next) {
      failureLog.failed(next, { jobId: job.id })
    }
  }

  async #tidy(): Promise<void> {
    if (this.#tidyAt > performance.now()) return
    const now = this.#ports.clock()
    const removed = await this.#ports.work.tidy({
      endedBefore: now - membersKeptFor,
      plannedBefore: now - plansKeptFor,
    })
    this.#tidyAt = performance.now() + (removed === 0 ? tidyEvery : tidyPauseMs)
  }

  #asLease() {
    const now = this.#ports.clock()
    return { lease: this.#lease, now, leaseUntil: now + leaseMs }
  }
}
