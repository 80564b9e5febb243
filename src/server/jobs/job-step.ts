import { type Kysely, sql, type Transaction } from 'kysely'
import {
  type BulkAction,
  type JobPhase,
  type JobPlan,
  permissionByAction,
} from '#domain/job/job.ts'
import {
  addOutcomeCounts,
  describeOutcomeCounts,
  type OutcomeCounts,
} from '#domain/job/job-lead-outcome.ts'
import type { LeadCursor } from '#server/leads/find-leads.ts'
import { describeSearchedLeads } from '#server/leads/person-searches.ts'
import { isOperatorStillAllowed } from '#server/operators/accounts.ts'
import { recordFinished } from '#server/operators/audit.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { runBulkAction } from './bulk-actions.ts'

/** The lease under which one process works on a job. Times are epoch milliseconds. */
export interface JobLease {
  readonly lease: string
  readonly now: number
  readonly leaseUntil: number
}

export const noJobLease = { lease: null, leased_until: null }

interface JobStep extends JobLease {
  readonly jobId: string
}

interface JobStorageStep extends JobStep {
  readonly phase: 'planning' | 'gathering'
  readonly leadIds: readonly string[]
  /** The last lead found; undefined once the ids of all leads are stored. */
  readonly reached: LeadCursor | undefined
}

export interface JobActionStep extends JobStep {
  readonly take: number
}

type StoreTransaction = Transaction<StoreTables>
type LockedJob = NonNullable<Awaited<ReturnType<typeof lockJob>>>

/**
 * Stores the ids of the job's next leads, in one transaction. For a plan, the step also counts the outcomes of a dry
 * run.
 * @returns the job's phase after the step; undefined if this process no longer has the job's lease
 */
export const storeJobLeads: DatabaseTask<JobStorageStep, PhaseAfterStorage | undefined> = {
  name: 'storeJobLeads',
  run: (db, step) => runLocked(db, step, step.phase, insertJobLeads),
}

/**
 * Acts on the job's next leads and stores each lead's result, in one transaction.
 * @returns undefined if this process no longer has the job's lease
 */
export const actOnJobLeads: DatabaseTask<JobActionStep, ActResult | undefined> = {
  name: 'actOnJobLeads',
  run: (db, step) => runLocked(db, step, 'running', runJobAction),
}

/**
 * Runs one step of a job, in one transaction.
 * @returns undefined if the process no longer has the job's lease: an operator paused or cancelled the job, or another
 *   process has claimed it
 */
const runLocked = <Step extends JobStep, Result>(
  db: Kysely<StoreTables>,
  step: Step,
  phase: JobPhase,
  run: (tx: StoreTransaction, step: Step, job: LockedJob) => Promise<Result>,
): Promise<Result | undefined> =>
  db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, step, phase)
    return job && run(tx, step, job)
  })

/**
 * Locks the job until the commit, so that an operator's pause or cancellation waits for this step only. If the operator
 * who started the job has lost the permission for it, this function pauses the job.
 */
async function lockJob(
  tx: StoreTransaction,
  { jobId, lease, leaseUntil, now }: JobStep,
  phase: JobPhase,
) {
  const job = await tx
    .updateTable('jobs')
    .set({ leased_until: leaseUntil })
    .where('id', '=', jobId)
    .where('lease', '=', lease)
    .where('phase', '=', phase)
    .where('paused_at', 'is', null)
    .returning(['action', 'members', 'done', 'report', 'plan', 'planned_at', 'operator_id'])
    .executeTakeFirst()
  if (job === undefined || job.operator_id === null || phase === 'planning') return job
  if (await isOperatorStillAllowed(tx, job.operator_id, permissionByAction[job.action])) return job
  await tx
    .updateTable('jobs')
    .set({ paused_at: now, ...noJobLease })
    .where('id', '=', jobId)
    .execute()
  return undefined
}

type PhaseAfterStorage = Exclude<JobPhase, 'ended'>

async function insertJobLeads(
  tx: StoreTransaction,
  { jobId, leadIds, reached, phase, now }: JobStorageStep,
  job: LockedJob,
): Promise<PhaseAfterStorage> {
  if (leadIds.length > 0) {
    const rows = leadIds.map((lead_id, index) => {
      return { job_id: jobId, position: job.members + index + 1, lead_id }
    })
    await tx.insertInto('job_members').values(rows).execute()
  }
  const members = job.members + leadIds.length
  const begun = parseJobPlan(job.plan)
  const plan = job.members === 0 ? { ...begun, ...emptyJobPlan } : begun
  const dryRun =
    phase === 'planning'
      ? await runBulkAction(tx, job.action, {
          leadIds,
          plannedAt: job.planned_at,
          now,
          isDryRun: true,
        })
      : undefined
  const byOutcome = addOutcomeCounts(dryRun?.values() ?? [], plan.byOutcome)
  const isComplete = reached === undefined
  const next = isComplete ? (phase === 'planning' ? 'planned' : 'running') : phase
  await tx
    .updateTable('jobs')
    .set({
      members,
      phase: next,
      plan: JSON.stringify({ ...plan, leads: members, byOutcome }),
      reached_at: reached?.receivedAt ?? null,
      reached_id: reached?.id ?? null,
      ...(next === 'planned' ? noJobLease : {}),
    })
    .where('id', '=', jobId)
    .execute()
  return next
}

interface ActResult {
  /** How many of the job's leads have a result. */
  readonly done: number
  readonly failures: readonly { readonly leadId: string; readonly code: string | null }[]
  /** How many of the step's leads now have a due delivery. */
  readonly due: number
}

async function runJobAction(
  tx: StoreTransaction,
  { jobId, take, now }: JobActionStep,
  job: LockedJob,
): Promise<ActResult> {
  const next = await tx
    .selectFrom('job_members')
    .select(['position', 'lead_id as leadId'])
    .where('job_id', '=', jobId)
    .where('position', '>', job.done)
    .orderBy('position')
    .limit(take)
    .execute()
  const leadIds = next.map(({ leadId }) => leadId)
  const batch = { leadIds, plannedAt: job.planned_at, now }
  const resultOf = await runBulkAction(tx, job.action, batch)
  const results = next.map((lead) => ({
    ...lead,
    ...(resultOf.get(lead.leadId) ?? { outcome: 'unknown' as const, detail: null }),
  }))
  if (results.length > 0) {
    const rows = results.map(
      ({ position, outcome, detail }) =>
        sql`(cast(${position} as integer), ${outcome}, cast(${detail} as text))`,
    )
    await sql`
      with result (position, outcome, detail) as (values ${sql.join(rows)})
      update job_members set outcome = result.outcome, detail = result.detail, at = cast(${now} as bigint)
      from result where job_members.job_id = ${jobId} and job_members.position = result.position`.execute(
      tx,
    )
  }
  const report = addOutcomeCounts(results, parseJobReport(job.report))
  const done = next.at(-1)?.position ?? job.members
  await tx
    .updateTable('jobs')
    .set({ done, report: JSON.stringify(report) })
    .where('id', '=', jobId)
    .execute()
  const failures = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ leadId, detail }) => ({ leadId, code: detail }))
  return { done, failures, due: results.filter(({ outcome }) => outcome === 'due').length }
}

/** Ends a job and records the end in the audit log, in one transaction. */
export function endJob(
  db: Kysely<StoreTables>,
  { jobId, lease, now }: { readonly jobId: string; readonly lease: string; readonly now: number },
): Promise<void> {
  return runInTransaction(db, async (tx) => {
    const ended = await tx
      .updateTable('jobs')
      .set({ phase: 'ended', ended_at: now, search_keys: null, ...noJobLease })
      .where('id', '=', jobId)
      .where('lease', '=', lease)
      .where('phase', '=', 'running')
      .where('paused_at', 'is', null)
      .returning([
        'operator_id',
        'system_user',
        'network',
        'report',
        'action',
        'query',
        'is_of_search',
      ])
      .executeTakeFirst()
    if (ended === undefined) return
    const { action, query } = ended
    const target = describeJobRequest({ action, query, isOfSearch: ended.is_of_search === 1 })
    const outcome = describeOutcomeCounts(parseJobReport(ended.report))
    const entry = { action: 'ended a job', subject: jobId } as const
    await recordFinished(tx, ended, entry, { at: now, outcome, change: { target } })
  })
}

export const emptyJobPlan: JobPlan = { leads: 0, byOutcome: {} }

export const parseJobPlan = (plan: string): JobPlan => ({ ...emptyJobPlan, ...JSON.parse(plan) })

export const parseJobReport = (report: string): OutcomeCounts => JSON.parse(report)

/** Describes a job for the audit log, without personal data, such as `retry of status=dead, 200 a second`. */
export const describeJobRequest = (
  { action, query, isOfSearch }: { action: BulkAction; query: string; isOfSearch: boolean },
  rate?: number,
): string =>
  [
    `${action} of ${isOfSearch ? describeSearchedLeads(undefined, query) : query || 'every lead'}`,
    ...(rate === undefined ? [] : [`${rate} a second`]),
  ].join(', ')
