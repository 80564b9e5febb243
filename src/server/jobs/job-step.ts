import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import {
  bulkActions,
  type Job,
  type JobPhase,
  type JobPlan,
  requiredRight,
} from '#domain/job/job.ts'
import {
  addCounts,
  countBy,
  describeOutcomeCounts,
  type OutcomeCounts,
} from '#domain/job/job-lead-outcome.ts'
import { findRetentionLimits, type RetentionLimits } from '#domain/lead/retention.ts'
import type { LeadCursor } from '#server/leads/find-leads.ts'
import { isStillAllowed } from '#server/operators/accounts.ts'
import { makeAuditRow } from '#server/operators/audit.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import { inTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { dryRunAction, type JobLeadResult, runAction } from './bulk-actions.ts'

/** A process works on a job while it holds the job's lease. Times are epoch milliseconds. */
export interface JobLease {
  readonly lease: string
  readonly now: number
  readonly leaseUntil: number
}

export type JobStep = JobLease & { readonly jobId: string } & (
    | {
        readonly kind: 'freeze'
        readonly phase: 'planning' | 'gathering'
        readonly leadIds: readonly string[]
        /** The last lead found; undefined once the ids of all leads are stored. */
        readonly reached: LeadCursor | undefined
      }
    | {
        readonly kind: 'act'
        readonly take: number
      }
  )

export interface StepResult extends Pick<Job, 'phase' | 'members' | 'done'> {
  readonly failures: readonly { readonly leadId: string; readonly code: string | null }[]
  /** How many of the step's leads now have a due delivery. */
  readonly due: number
}

export const takeJobStep: DatabaseTask<JobStep, StepResult | undefined> = {
  name: 'takeJobStep',
  run: runJobStep,
}

type Store = Transaction<StoreTables>
type Held = NonNullable<Awaited<ReturnType<typeof lockJob>>>

/**
 * Runs one step of a job, in one transaction.
 * @returns undefined if the process no longer holds the job: an operator paused or cancelled the job, or another
 *   process has claimed it
 */
function runJobStep(db: Kysely<StoreTables>, step: JobStep): Promise<StepResult | undefined> {
  return db.transaction().execute(async (store) => {
    const held = await lockJob(store, step, step.kind === 'act' ? 'running' : step.phase)
    if (held === undefined) return undefined
    return step.kind === 'act' ? actOnJobLeads(store, step, held) : storeJobLeads(store, step, held)
  })
}

/**
 * Locks the job until the commit, so that an operator's pause or cancellation waits for this step only. If the operator
 * who started the job has lost the permission, the job is paused.
 */
async function lockJob(store: Store, { jobId, lease, leaseUntil, now }: JobStep, phase: JobPhase) {
  const held = await store
    .updateTable('jobs')
    .set({ leased_until: leaseUntil })
    .where('id', '=', jobId)
    .where('lease', '=', lease)
    .where('phase', '=', phase)
    .where('paused_at', 'is', null)
    .returning([
      'action',
      'query',
      'planned_at',
      'members',
      'done',
      'report',
      'plan',
      'operator_id',
    ])
    .executeTakeFirst()
  if (held === undefined || held.operator_id === null || phase === 'planning') return held
  if (await isStillAllowed(store, held.operator_id, requiredRight[held.action])) return held
  await store
    .updateTable('jobs')
    .set({ paused_at: now, lease: null, leased_until: null })
    .where('id', '=', jobId)
    .execute()
  return undefined
}

/** Stores the ids of the next leads of the job. For a plan, this also counts the outcomes of a dry run. */
async function storeJobLeads(
  store: Store,
  step: Extract<JobStep, { kind: 'freeze' }>,
  held: Held,
): Promise<StepResult> {
  const { jobId, leadIds, reached, phase, now } = step
  if (leadIds.length > 0) {
    const rows = leadIds.map((lead_id, index) => {
      return { job_id: jobId, position: held.members + index + 1, lead_id }
    })
    await store.insertInto('job_members').values(rows).execute()
  }
  const members = held.members + leadIds.length
  const plan = held.members === 0 ? emptyPlan : parsePlan(held)
  const dryRunCounts =
    phase === 'planning'
      ? await dryRunAction(store, held.action, {
          leadIds,
          now,
          limits: findPurgeLimits(held),
        })
      : {}
  const isComplete = reached === undefined
  const next = isComplete ? (phase === 'planning' ? 'planned' : 'running') : phase
  await store
    .updateTable('jobs')
    .set({
      members,
      phase: next,
      plan: JSON.stringify({
        leads: members,
        byOutcome: addCounts(plan.byOutcome, dryRunCounts),
      }),
      reached_at: reached?.receivedAt ?? null,
      reached_id: reached?.id ?? null,
      ...(next === 'planned' ? { lease: null, leased_until: null } : {}),
    })
    .where('id', '=', jobId)
    .execute()
  return { phase: next, members, done: held.done, failures: [], due: 0 }
}

/** Acts on the next leads and stores each lead's result, in one transaction. */
async function actOnJobLeads(
  store: Store,
  { jobId, take, now }: Extract<JobStep, { kind: 'act' }>,
  held: Held,
): Promise<StepResult> {
  const { members, action } = held
  const next = await store
    .selectFrom('job_members')
    .select(['position', 'lead_id'])
    .where('job_id', '=', jobId)
    .where('position', '>', held.done)
    .orderBy('position')
    .limit(take)
    .execute()
  const leadIds = next.map(({ lead_id }) => lead_id)
  const limits = findPurgeLimits(held)
  const results = await runAction(store, action, { leadIds, now, limits })
  const resultOf = (id: string): JobLeadResult =>
    results.get(id) ?? { outcome: 'unknown', detail: null }
  if (next.length > 0) {
    const rows = next.map(({ position, lead_id }) => {
      const { outcome, detail } = resultOf(lead_id)
      return sql`(cast(${position} as integer), ${outcome}, cast(${detail} as text))`
    })
    await sql`
      with result (position, outcome, detail) as (values ${sql.join(rows)})
      update job_members set outcome = result.outcome, detail = result.detail, at = cast(${now} as bigint)
      from result where job_members.job_id = ${jobId} and job_members.position = result.position`.execute(
      store,
    )
  }
  const counts = countBy(leadIds, (id) => resultOf(id).outcome)
  const done = next.at(-1)?.position ?? members
  await store
    .updateTable('jobs')
    .set({ done, report: JSON.stringify(addCounts(parseReport(held), counts)) })
    .where('id', '=', jobId)
    .execute()
  const failures = leadIds
    .filter((id) => resultOf(id).outcome === 'failed')
    .map((leadId) => ({ leadId, code: resultOf(leadId).detail }))
  return { phase: 'running', members, done, failures, due: counts.due ?? 0 }
}

/** Ends a job and records the end in the audit log, in one transaction. */
export function endJob(
  db: Kysely<StoreTables>,
  { jobId, lease, now }: { readonly jobId: string; readonly lease: string; readonly now: number },
): Promise<void> {
  return inTransaction(db, async (store) => {
    const ended = await store
      .updateTable('jobs')
      .set({ phase: 'ended', ended_at: now, search_keys: null, lease: null, leased_until: null })
      .where('id', '=', jobId)
      .where('lease', '=', lease)
      .where('phase', '=', 'running')
      .where('paused_at', 'is', null)
      .returning(['operator_id', 'system_user', 'network', 'report'])
      .executeTakeFirst()
    if (ended === undefined) return
    const entry = makeAuditRow(ended, { action: 'ended a job', subject: jobId }, now)
    await store.insertInto('audit').values(entry).execute()
    await store
      .insertInto('audit_outcomes')
      .values({ audit_id: entry.id, outcome: describeOutcomeCounts(parseReport(ended)) })
      .execute()
  })
}

type Row = Selectable<StoreTables['jobs']>

export const emptyPlan: JobPlan = {
  leads: 0,
  byOutcome: {},
}

export const parsePlan = ({ plan }: Pick<Row, 'plan'>): JobPlan => ({
  ...emptyPlan,
  ...JSON.parse(plan),
})

export const parseReport = ({ report }: Pick<Row, 'report'>): OutcomeCounts => JSON.parse(report)

/** The keyed hashes of the job's search for a person; undefined without a search. */
export const parseSearchKeys = ({ search_keys: keys }: Pick<Row, 'search_keys'>) =>
  keys === null ? undefined : (JSON.parse(keys) as readonly string[])

/** The retention limits of a purge, from its query `days=<retention period>`. */
export const findPurgeLimits = ({
  action,
  query,
  planned_at,
}: Pick<Row, 'action' | 'query' | 'planned_at'>): RetentionLimits | undefined =>
  action === 'purge'
    ? findRetentionLimits(planned_at, Number(query.replace('days=', '')))
    : undefined

/** Selects all jobs except those of a later release, which may run beside this release during an upgrade. */
export const selectJobs = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('jobs')
    .leftJoin('operators', 'operators.id', 'jobs.operator_id')
    .where('action', 'in', bulkActions)
    .selectAll('jobs')
    .select('operators.email')

export const toJob = (row: Row & { readonly email: string | null }): Job => ({
  id: row.id,
  action: row.action,
  query: row.query,
  isOfSearch: row.is_of_search === 1,
  who: row.email ?? row.system_user ?? '',
  phase: row.phase,
  plannedAt: row.planned_at,
  plan: parsePlan(row),
  reason: row.reason,
  rate: row.rate,
  startedAt: row.started_at,
  members: row.members,
  done: row.done,
  report: parseReport(row),
  pausedAt: row.paused_at,
  cancelledAt: row.cancelled_at,
  endedAt: row.ended_at,
  membersRemovedAt: row.members_removed_at,
})
