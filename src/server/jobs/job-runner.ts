import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { bulkActions, type Job, jobLeadsRetentionMs, planRetentionMs } from '#domain/job/job.ts'
import type { LeadCursor } from '#server/leads/find-leads.ts'
import { parseValidFilter } from '#server/leads/lead-filters.ts'
import type { LeadIndex } from '#server/leads/lead-index.ts'
import { findExpiredLeads } from '#server/leads/purge-expired-leads.ts'
import { AdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'
import { endJob, findPurgeLimits, type JobLease, parseSearchKeys, takeJobStep } from './job-step.ts'
import { makeCancelledColumns } from './jobs.ts'

export interface JobRunnerDependencies {
  readonly finder: Pick<LeadIndex, 'find'>
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  readonly failureLog: LoopFailureLog
  readonly onDue: () => void
  /** The id of the only job to run; every job if undefined. */
  readonly only?: string
}

type Database = Pick<LeadDatabase, 'db' | 'patient' | 'run' | 'wipe'>

/** How long after a crash another process takes over a job, in milliseconds. */
const leaseMs = 15_000

/** How often to look for jobs that another process created, in milliseconds. */
const pollIntervalMs = 1000

/** The pause after a failed step, in milliseconds. */
const retryAfter = 1000

/** The most jobs at once in one process, so that a slow job does not delay the others. */
const maxHeld = 4

/**
 * The fewest leads in a step. A round trip to PostgreSQL, or to SQLite's thread on a busy machine, takes longer than
 * the work on one lead: with one lead per step, a job of a hundred thousand leads would take hours.
 */
const minBatchSize = 32

/** The share of time that jobs may use: more than background work, because an operator waits for a job. */
const maxBusyShare = 1 / 3

/** Storing a lead's id takes an eighth of the time of acting on the lead. */
const idsPerLead = 8

/** The longest pause between two steps, so that the next step comes before the lease ends. */
const maxPauseMs = 5000

/** The most entries of old jobs' lead lists that one transaction deletes. */
const cleanupBatchSize = 256

interface HeldJob
  extends Pick<Job, 'id' | 'action' | 'query' | 'phase' | 'rate' | 'members' | 'done'> {
  readonly keys: readonly string[] | undefined
  /** The job covers only leads received before this time, in epoch milliseconds. */
  readonly until: number
  /** The last lead whose id is stored; undefined at first. */
  readonly reached: LeadCursor | undefined
}

interface HeldJobState {
  job: HeldJob
  readonly throttle: AdaptiveThrottle
  /** When the job's next step is due, on the monotonic clock, in milliseconds. */
  at: number
}

/** Runs jobs step by step. Several processes may run jobs; a lease gives each job to one process. */
export class JobRunner {
  readonly #database: Database
  readonly #dependencies: JobRunnerDependencies
  readonly #lease = randomUUIDv7()
  readonly #loop: PollingLoop
  #held: readonly HeldJobState[] = []
  #nextClaimAt = 0

  constructor(database: Database, dependencies: JobRunnerDependencies) {
    this.#database = database
    this.#dependencies = dependencies
    const { failureLog } = dependencies
    this.#loop = new PollingLoop(() => this.#step(), { failureLog, againAfter: retryAfter })
  }

  start(): void {
    this.#loop.start()
  }

  /** Makes the runner look for work at once, because a job can continue. */
  wake(): void {
    this.#nextClaimAt = 0
    this.#loop.wake()
  }

  /** Finishes the current step and releases the jobs, so that another process can continue at once. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    if (this.#held.length > 0)
      await releaseJobLease(this.#database.db, this.#lease).catch(() => undefined)
  }

  /** Runs the steps that are due. @returns how long to wait for the next step, in milliseconds */
  async #step(): Promise<number> {
    await this.#claimJobs()
    for (const held of this.#held) {
      if (this.#loop.isStopping) break
      if (held.at <= performance.now()) await this.#advance(held)
    }
    const next = Math.min(this.#nextClaimAt, ...this.#held.map(({ at }) => at))
    return Math.max(0, next - performance.now())
  }

  async #claimJobs(): Promise<void> {
    if (this.#nextClaimAt > performance.now()) return
    this.#nextClaimAt = performance.now() + pollIntervalMs
    const { db } = this.#database
    while (this.#held.length < maxHeld) {
      const held = this.#held.map(({ job }) => job.id)
      const job = await claimJob(db, this.#newLease(), { held, only: this.#dependencies.only })
      if (job === undefined) break
      const throttle = new AdaptiveThrottle(minBatchSize, maxBusyShare)
      this.#held = [...this.#held, { job, throttle, at: 0 }]
    }
  }

  async #advance(held: HeldJobState): Promise<void> {
    const { job, throttle } = held
    const begunAt = performance.now()
    try {
      const { next, leads } = await (job.phase === 'running' ? this.#act(held) : this.#freeze(held))
      const ms = performance.now() - begunAt
      const pause = throttle.took(ms, job.phase === 'gathering' ? leads / idsPerLead : leads)
      const rateDelay = job.phase === 'running' ? (leads * 1000) / job.rate - ms : 0
      held.at = performance.now() + Math.min(Math.max(pause, rateDelay), maxPauseMs)
      if (next === undefined) this.#held = this.#held.filter((one) => one !== held)
      else held.job = next
    } catch (error) {
      this.#dependencies.failureLog.failed(error, { jobId: job.id })
      // If the answer was lost, the step may have succeeded, so the next claim reads how far the job is.
      this.#held = this.#held.filter((one) => one !== held)
    }
  }

  /** Stores the ids of the next leads that match the filter. No other function evaluates a job's filter. */
  async #freeze({ job, throttle }: HeldJobState): Promise<StepProgress> {
    const { id, members, phase } = job
    if (phase !== 'planning' && phase !== 'gathering') return { next: undefined, leads: 0 }
    const batchSize = throttle.next(Number.MAX_SAFE_INTEGER)
    const take = phase === 'gathering' ? batchSize * idsPerLead : batchSize
    const found = await this.#findLeads(job, take)
    const { leadIds, reached } = found
    const step = { ...this.#newLease(), jobId: id, phase, leadIds, reached }
    const result = await this.#database.run(takeJobStep, { kind: 'freeze', ...step })
    if (result === undefined || result.phase === 'planned') return { next: undefined, leads: 0 }
    const next = { ...job, phase: result.phase, members: members + leadIds.length }
    return { next: { ...next, reached }, leads: leadIds.length }
  }

  /** Finds the next leads, oldest first, so that a person's oldest lead is sent. */
  async #findLeads(job: HeldJob, take: number): Promise<FoundLeads> {
    const limits = findPurgeLimits({ ...job, planned_at: job.until })
    if (limits !== undefined) {
      const { patient } = this.#database
      const { ids, end } = await findExpiredLeads(patient, limits, job.reached)
      return { leadIds: ids, reached: end }
    }
    const filter = parseValidFilter(job.query)
    const until = Math.min(filter.until ?? job.until, job.until)
    const { keys, reached: after } = job
    const now = this.#dependencies.clock()
    const found = await this.#dependencies.finder.find({
      filter: { ...filter, until },
      keys,
      after,
      towards: 'newer',
      take,
      now,
    })
    return { leadIds: found.leads.map(({ id }) => id), reached: found.next }
  }

  async #act({ job, throttle }: HeldJobState): Promise<StepProgress> {
    const { db, wipe, run } = this.#database
    const { id, action, members, done, rate } = job
    if (done >= members) {
      // The wipe comes before the job's end, so that a crash cannot skip the wipe; wiping twice is harmless.
      if (action === 'erase' || action === 'purge') await wipe()
      await endJob(db, { jobId: id, ...this.#newLease() })
      return { next: undefined, leads: 0 }
    }
    // A job takes at least two steps per second, so that its rate is even.
    const take = throttle.next(Math.max(1, Math.min(members - done, rate / 2)))
    const result = await run(takeJobStep, { kind: 'act', jobId: id, take, ...this.#newLease() })
    if (result === undefined) return { next: undefined, leads: 0 }
    for (const failure of result.failures) {
      this.#dependencies.log.error(
        { jobId: id, ...failure },
        'a job skips a lead because its action fails',
      )
    }
    if (result.due > 0) this.#dependencies.onDue()
    return { next: { ...job, done: result.done }, leads: result.done - done }
  }

  #newLease(): JobLease {
    const now = this.#dependencies.clock()
    return { lease: this.#lease, now, leaseUntil: now + leaseMs }
  }
}

interface FoundLeads {
  readonly leadIds: readonly string[]
  readonly reached: LeadCursor | undefined
}

interface StepProgress {
  /** Undefined if this process has finished its work on the job. */
  readonly next: HeldJob | undefined
  readonly leads: number
}

const selectClaimable = (db: Kysely<StoreTables>, { lease, now }: JobLease) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    .where('phase', 'in', ['planning', 'gathering', 'running'] as const)
    .where('action', 'in', bulkActions)
    .where((eb) =>
      eb.or([
        eb('leased_until', 'is', null),
        eb('leased_until', '<=', now),
        eb('lease', '=', lease),
      ]),
    )

/** Claims the oldest free job. The update repeats the conditions, so that only one process gets the job. */
async function claimJob(
  db: Kysely<StoreTables>,
  jobLease: JobLease,
  { held, only }: { readonly held: readonly string[]; readonly only: string | undefined },
): Promise<HeldJob | undefined> {
  const { lease, leaseUntil } = jobLease
  const found = await selectClaimable(db, jobLease)
    .$if(held.length > 0, (query) => query.where('id', 'not in', held))
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const row = await db
    .updateTable('jobs')
    .set({ lease, leased_until: leaseUntil })
    .where('id', '=', found.id)
    .where('id', 'in', selectClaimable(db, jobLease))
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, action, query, phase, rate, members, done, reached_at, reached_id } = row
  // Release 0.2.0, which may run on the same database, plans a job without storing its leads.
  const isBegun = members > 0 && reached_at !== null && reached_id !== null
  return {
    ...{ id, action, query, phase, rate, members, done },
    keys: parseSearchKeys(row),
    until: row.started_at ?? row.planned_at,
    reached: isBegun ? { receivedAt: reached_at, id: reached_id } : undefined,
  }
}

const releaseJobLease = (db: Kysely<StoreTables>, lease: string) =>
  db
    .updateTable('jobs')
    .set({ lease: null, leased_until: null })
    .where('ended_at', 'is', null)
    .where('lease', '=', lease)
    .execute()

/**
 * Ends old plans, and deletes parts of the lead lists of jobs that ended long ago. @returns whether there may be more
 * to delete
 */
export async function deleteExpiredJobs(db: Kysely<StoreTables>, now: number): Promise<boolean> {
  await db
    .updateTable('jobs')
    .set(makeCancelledColumns(now))
    .where('ended_at', 'is', null)
    .where('phase', 'in', ['planning', 'planned'])
    .where('planned_at', '<', now - planRetentionMs)
    .execute()
  const ended = await db
    .selectFrom('jobs')
    .select('id')
    .where('members_removed_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('ended_at', '<', now - jobLeadsRetentionMs),
        eb.and([eb('ended_at', 'is not', null), eb('started_at', 'is', null)]),
      ]),
    )
    .orderBy('ended_at')
    .limit(1)
    .executeTakeFirst()
  if (ended === undefined) return false
  const ofJob = db.selectFrom('job_members').where('job_id', '=', ended.id)
  const { numDeletedRows } = await db
    .deleteFrom('job_members')
    .where('job_id', '=', ended.id)
    .where('position', 'in', ofJob.select('position').orderBy('position').limit(cleanupBatchSize))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) {
    const removed = { members_removed_at: now }
    await db.updateTable('jobs').set(removed).where('id', '=', ended.id).execute()
  }
  return true
}
