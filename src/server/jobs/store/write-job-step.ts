import { type Kysely, sql, type Transaction } from 'kysely'
import { rightFor } from '#domain/job/bulk-action.ts'
import { addCounts, countBy } from '#domain/job/counts.ts'
import { findRole, mayStill } from '#server/operators/accounts.ts'
import type { StoreWork } from '#server/platform/database/lead-database.ts'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { Acted, ActStep, GatherStep, JobStep } from '../job-store.ts'
import { actOnMembers, type CameOf } from './act-on-members.ts'
import { readReport } from './job-row.ts'

export const takeJobStep: StoreWork<JobStep, Acted | undefined> = {
  name: 'takeJobStep',
  run: writeJobStep,
}

/**
 * One message to the thread that writes on SQLite, and one transaction: a step is done whole or not at all.
 * @returns how it stands now; undefined where the job is held no longer, and nothing was done
 */
function writeJobStep(
  db: Kysely<StoreTables>,
  step: JobStep,
  locking: Locking,
): Promise<Acted | undefined> {
  return db
    .transaction()
    .execute((store) => (step.kind === 'gather' ? gather(store, step) : act(store, step, locking)))
}

type Store = Transaction<StoreTables>

/**
 * Locks the job until the commit: who pauses or cancels it waits for this step, and for no other. Pauses it where its
 * operator may not do it any more, whatever ended the permission.
 */
async function holdJob(
  store: Store,
  { jobId, lease, leaseUntil, now }: GatherStep | ActStep,
  phase: 'gathering' | 'running',
) {
  const held = await store
    .updateTable('jobs')
    .set({ leased_until: leaseUntil })
    .where('id', '=', jobId)
    .where('lease', '=', lease)
    .where('phase', '=', phase)
    .where('paused_at', 'is', null)
    .returning(['action', 'members', 'done', 'report', 'operator_id'])
    .executeTakeFirst()
  if (held === undefined || held.operator_id === null) return held
  if (mayStill(await findRole(store, held.operator_id), rightFor[held.action])) return held
  await store
    .updateTable('jobs')
    .set({ paused_at: now, lease: null, leased_until: null })
    .where('id', '=', jobId)
    .execute()
  return undefined
}

async function gather(store: Store, step: GatherStep): Promise<Acted | undefined> {
  const { jobId, leadIds, reached, now } = step
  const held = await holdJob(store, step, 'gathering')
  if (held === undefined) return undefined
  if (leadIds.length > 0) {
    await store
      .insertInto('job_members')
      .values(
        leadIds.map((lead_id, index) => ({
          job_id: jobId,
          position: held.members + index + 1,
          lead_id,
        })),
      )
      .execute()
  }
  const members = held.members + leadIds.length
  await store
    .updateTable('jobs')
    .set({
      members,
      reached_at: reached?.receivedAt ?? null,
      reached_id: reached?.id ?? null,
      ...(reached === undefined ? { phase: 'running', running_since: now } : {}),
    })
    .where('id', '=', jobId)
    .execute()
  return { members, done: held.done, report: readReport(held) }
}

async function act(store: Store, step: ActStep, locking: Locking): Promise<Acted | undefined> {
  const { jobId, take, now, failure } = step
  const held = await holdJob(store, step, 'running')
  if (held === undefined) return undefined
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
  const came =
    failure === undefined
      ? await actOnMembers(store, action, { leadIds, now, locking })
      : new Map(leadIds.map((id) => [id, { outcome: 'failed', detail: failure } as const]))
  const outcomes = next.map(({ position, lead_id }) => ({
    position,
    ...(came.get(lead_id) ?? ({ outcome: 'unknown', detail: null } as const)),
  }))
  await writeOutcomes(store, { jobId, now, outcomes })
  const report = addCounts(
    readReport(held),
    countBy(outcomes, ({ outcome }) => outcome),
  )
  const done = next.at(-1)?.position ?? members
  await store
    .updateTable('jobs')
    .set({ done, report: JSON.stringify(report) })
    .where('id', '=', jobId)
    .execute()
  return { done, members, report }
}

interface CameOut {
  readonly jobId: string
  readonly now: number
  readonly outcomes: readonly (CameOf & { readonly position: number })[]
}

async function writeOutcomes(store: Store, { jobId, now, outcomes }: CameOut): Promise<void> {
  if (outcomes.length === 0) return
  const rows = outcomes.map(
    ({ position, outcome, detail }) =>
      sql`(cast(${position} as integer), ${outcome}, cast(${detail} as text))`,
  )
  await sql`
    with came (position, outcome, detail) as (values ${sql.join(rows)})
    update job_members set outcome = came.outcome, detail = came.detail, at = cast(${now} as bigint)
    from came where job_members.job_id = ${jobId} and job_members.position = came.position`.execute(
    store,
  )
}
