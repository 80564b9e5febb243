import { randomUUIDv7 } from 'node:crypto'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Logger } from 'pino'
import { bulkActions, jobLeadsRetentionMs, planRetentionMs } from '#domain/job/job.ts'
import { findLeads, type LeadCursor } from '#server/leads/find-leads.ts'
import { parseValidFilter } from '#server/leads/lead-filters.ts'
import { type AdaptiveThrottle, makeAdaptiveThrottle } from '#server/platform/adaptive-throttle.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import { makePollingLoop, type PollingLoop } from '#server/platform/polling-loop.ts'
import { actOnJobLeads, endJob, type JobLease, noJobLease, storeJobLeads } from './job-step.ts'
import { type Job, makeCancelledColumns } from './jobs.ts'

export interface JobRunnerDependencies {
  readonly clock: () => number
  readonly log: Logger
  readonly failureLog: FailureLog
  readonly onDue: () => void
  /** The id of the only job to run; every job if undefined. */
  readonly only?: string
}

/** A job's filter query runs with the console's time limit: no other work waits for it, and the runner retries it. */
type Database = Pick<LeadDatabase, 'db' | 'consoleDb' | 'run' | 'wipe' | 'zone'>

/** How long after a crash another process takes over a job, in milliseconds. */
const leaseMs = 15_000

/** How often to look for jobs that another process created, in milliseconds. */
const pollIntervalMs = 1000

/** The pause after a failed step, in milliseconds. */
const retryAfter = 1000

/** The most jobs that one process runs at once, so that a slow job does not delay the others. */
const maxHeld = 4

/**
 * The fewest leads in a step. A round trip to PostgreSQL, or to SQLite's thread on a busy machine, takes longer than
 * the work on one lead: with one lead per step, a job of a hundred thousand leads would take hours.
 */
const minBatchSize = 32

/** The share of time that jobs may use. Background work may use less, because no operator waits for it. */
const maxBusyShare = 1 / 3

/** Makes the throttle for work that an operator waits for. */
export const makeJobThrottle = () => makeAdaptiveThrottle(minBatchSize, maxBusyShare)

/** Storing a lead's id takes an eighth of the time of an action, so a step stores eight times as many ids. */
const idsPerLead = 8

/** The longest pause between two steps, so that the next step comes before the lease ends. */
const maxPauseMs = 5000

/** The most entries of an old job's lead list that one transaction deletes. */
const cleanupBatchSize = 256

/** The phases in which a job has work to do. */
const activePhases = ['planning', 'gathering', 'running'] as const

interface ClaimedJob extends Pick<Job, 'id' | 'action' | 'query' | 'rate' | 'members' | 'done'> {
  readonly phase: (typeof activePhases)[number]
  /** The keyed hashes that the job's search for a person uses; undefined without a search. */
  readonly keys: readonly string[] | undefined
  /** The job acts only on leads received before this time, in epoch milliseconds. */
  readonly until: number
  /** The last lead whose id the job has stored; undefined if the job has stored none. */
  readonly reached: LeadCursor | undefined
}

interface HeldJob {
  job: ClaimedJob
  readonly throttle: AdaptiveThrottle
  /** When the job's next step is due, on the monotonic clock, in milliseconds. */
  nextStepAt: number
}

/** Runs jobs step by step. Several processes may run jobs; a lease gives each job to one process. */
export class JobRunner {
  readonly #database: Database
  readonly #dependencies: JobRunnerDependencies
  readonly #lease = randomUUIDv7()
  readonly #loop: PollingLoop
  #held: readonly HeldJob[] = []
  #nextClaimAt = 0

  constructor(database: Database, dependencies: JobRunnerDependencies) {
    this.#database = database
    this.#dependencies = dependencies
    this.#loop = makePollingLoop(() => this.#step(), dependencies.failureLog, retryAfter)
  }

  start(): void {
    this.#loop.start()
  }

  /** Makes the runner look for jobs at once instead of at the next poll. */
  wake(): void {
    this.#nextClaimAt = 0
    this.#loop.wake()
  }

  /**
   * Finishes the current step and returns the jobs' leases, so that another process can continue at once. The query
   * also finds a job that is not in `#held`: after a failed step, a job still has the lease.
   */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#database.db
      .updateTable('jobs')
      .set(noJobLease)
      .where('ended_at', 'is', null)
      .where('lease', '=', this.#lease)
      .execute()
      .catch(() => undefined)
  }

  /** Runs the steps that are due. @returns how long to wait for the next step, in milliseconds */
  async #step(): Promise<number> {
    await this.#claimJobs()
    for (const held of this.#held) {
      if (this.#loop.isStopping()) break
      if (held.nextStepAt <= performance.now()) await this.#advance(held)
    }
    const next = Math.min(this.#nextClaimAt, ...this.#held.map(({ nextStepAt }) => nextStepAt))
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
      this.#held = [...this.#held, { job, throttle: makeJobThrottle(), nextStepAt: 0 }]
    }
  }

  async #advance(held: HeldJob): Promise<void> {
    const { job, throttle } = held
    const { id, phase, rate } = job
    const begunAt = performance.now()
    try {
      const next = await (phase === 'running'
        ? this.#act(job, throttle)
        : this.#storeLeads(job, phase, throttle))
      if (next === undefined) return this.#drop(held)
      held.job = next
      const ms = performance.now() - begunAt
      const leads = next.members + next.done - job.members - job.done
      const pause = throttle.pauseAfter(ms, phase === 'gathering' ? leads / idsPerLead : leads)
      const rateDelay = phase === 'running' ? (leads * 1000) / rate - ms : 0
      held.nextStepAt = performance.now() + Math.min(Math.max(pause, rateDelay), maxPauseMs)
    } catch (error) {
      this.#dependencies.failureLog.failed(error, { jobId: id })
      // The step may have succeeded if only the database's reply was lost, so the next claim reads how far the job is.
      this.#drop(held)
    }
  }

  #drop(held: HeldJob): void {
    this.#held = this.#held.filter((one) => one !== held)
  }

  /**
   * Stores the ids of the next leads that match the filter, oldest first, so that a person's oldest lead is sent. No
   * other function evaluates a job's filter.
   * @returns the job after the step; undefined if this process has nothing more to do for the job
   */
  async #storeLeads(
    job: ClaimedJob,
    phase: 'planning' | 'gathering',
    throttle: AdaptiveThrottle,
  ): Promise<ClaimedJob | undefined> {
    const batchSize = throttle.batchSize(Number.MAX_SAFE_INTEGER)
    const filter = parseValidFilter(job.query, this.#database.zone)
    const { leads, next: reached } = await findLeads(this.#database.consoleDb, {
      filter: { ...filter, until: Math.min(filter.until ?? job.until, job.until) },
      keys: job.keys,
      after: job.reached,
      towards: 'newer',
      take: phase === 'gathering' ? batchSize * idsPerLead : batchSize,
      now: this.#dependencies.clock(),
    })
    const leadIds = leads.map(({ id }) => id)
    const step = { ...this.#newLease(), jobId: job.id, phase, leadIds, reached }
    const next = await this.#database.run(storeJobLeads, step)
    if (next === undefined || next === 'planned') return undefined
    return { ...job, phase: next, members: job.members + leadIds.length, reached }
  }

  async #act(job: ClaimedJob, throttle: AdaptiveThrottle): Promise<ClaimedJob | undefined> {
    const { db, wipe, run } = this.#database
    const { id, action, members, done, rate } = job
    if (done >= members) {
      // The wipe comes before the job's end, so that a crash cannot skip the wipe; wiping twice is harmless.
      if (action === 'erase') await wipe()
      await endJob(db, { jobId: id, ...this.#newLease() })
      return undefined
    }
    // A step acts on at most half a second's leads, so that the job keeps an even rate.
    const take = throttle.batchSize(Math.max(1, Math.min(members - done, rate / 2)))
    const result = await run(actOnJobLeads, { jobId: id, take, ...this.#newLease() })
    if (result === undefined) return undefined
    for (const failure of result.failures) {
      this.#dependencies.log.error(
        { jobId: id, ...failure },
        'a job skips a lead because the action fails',
      )
    }
    if (result.due > 0) this.#dependencies.onDue()
    return { ...job, done: result.done }
  }

  #newLease(): JobLease {
    const now = this.#dependencies.clock()
    return { lease: this.#lease, now, leaseUntil: now + leaseMs }
  }
}

const isClaimable =
  ({ lease, now }: JobLease) =>
  (eb: ExpressionBuilder<StoreTables, 'jobs'>) =>
    eb.and([
      eb('ended_at', 'is', null),
      eb('paused_at', 'is', null),
      eb('phase', 'in', activePhases),
      eb('action', 'in', bulkActions),
      eb.or([
        eb('leased_until', 'is', null),
        eb('leased_until', '<=', now),
        eb('lease', '=', lease),
      ]),
    ])

/** Claims the oldest claimable job. The update repeats the conditions, so that only one process gets the job. */
async function claimJob(
  db: Kysely<StoreTables>,
  jobLease: JobLease,
  { held, only }: { readonly held: readonly string[]; readonly only: string | undefined },
): Promise<ClaimedJob | undefined> {
  const { lease, leaseUntil } = jobLease
  const found = await db
    .selectFrom('jobs')
    .select('id')
    .where(isClaimable(jobLease))
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
    .where(isClaimable(jobLease))
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, action, query, phase, rate, members, done, reached_at, reached_id } = row
  // Release 0.2.0, which may run on the same database, plans a job without storing its leads.
  const isBegun = members > 0 && reached_at !== null && reached_id !== null
  return {
    id,
    action,
    query,
    phase: phase as ClaimedJob['phase'],
    rate,
    members,
    done,
    keys: row.search_keys === null ? undefined : JSON.parse(row.search_keys),
    until: row.started_at ?? row.planned_at,
    reached: isBegun ? { receivedAt: reached_at, id: reached_id } : undefined,
  }
}

/**
 * Ends plans that nobody started in time, and deletes part of the lead list of a job that ended long ago.
 * @returns whether there may be more to delete
 */
export async function cleanUpJobs(db: Kysely<StoreTables>, now: number): Promise<boolean> {
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
