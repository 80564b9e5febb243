import { type Kysely, sql, type Transaction } from 'kysely'
import { type Job, type JobPhase, requiredRight } from '#domain/job/job.ts'
import { addCounts, countBy, describeOutcomeCounts } from '#domain/job/job-lead-outcome.ts'
import type { LeadCursor } from '#server/leads/find-leads.ts'
import { isStillAllowed } from '#server/operators/accounts.ts'
import { makeAuditRow } from '#server/operators/audit.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import { inTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { dryRunAction, type JobLeadResult, runAction } from './bulk-actions.ts'
import { emptyPlan, findPurgeLimits, parsePlan, parseReport } from './job-rows.ts'

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
