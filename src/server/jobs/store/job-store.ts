import type { Kysely } from 'kysely'
import { rightFor } from '#domain/job/bulk-action.ts'
import { holdRole, mayStill } from '#server/operators/accounts.ts'
import { actorColumns } from '#server/operators/audit.ts'
import { NotAllowedError } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type JobStore, mostPlans, type NewJob } from '../job-store.ts'
import { noPlan, selectJobs, toJob } from './job-row.ts'

type Database = Kysely<StoreTables>

/**
 * Each change is one guarded update, which waits for the batch under way, as that has locked the job: once it has resolved
 * nothing more is done.
 */
export function makeJobStore({ db, locking }: Pick<LeadDatabase, 'db' | 'locking'>): JobStore {
  const changes = async (query: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }) =>
    (await retryConflicts(() => query.executeTakeFirst())).numUpdatedRows > 0n
  /**
   * A job goes on after this call, so the permission is checked in the same transaction: disabling or demoting the operator
   * comes before it and is seen, or after it and pauses the job.
   * @throws NotAllowedError, and nothing was changed
   */
  const changeAs = (by: Actor, update: (store: Database) => ReturnType<typeof updateJob>) =>
    retryConflicts(() =>
      db.transaction().execute(async (store) => {
        const role = by.kind === 'console' ? await holdRole(store, by.id, locking) : undefined
        const changed = await update(store).returning('action').executeTakeFirst()
        if (changed === undefined) return false
        const right = rightFor[changed.action]
        if (by.kind === 'console' && !mayStill(role, right)) throw new NotAllowedError(right)
        return true
      }),
    )
  return {
    add: async (job) => {
      await retryConflicts(async () => {
        await db.insertInto('jobs').values(toRow(job)).execute()
        await removeOldestPlans(db, job)
      })
    },
    find: (id) =>
      retryConflicts(async () => {
        const row = await selectJobs(db).where('jobs.id', '=', id).executeTakeFirst()
        return row && toJob(row)
      }),
    list: ({ before, take }) =>
      retryConflicts(async () => {
        const rows = await selectJobs(db)
          .$if(before !== undefined, (query) => query.where('jobs.id', '<', before ?? ''))
          .orderBy('jobs.id', 'desc')
          .limit(take)
          .execute()
        return rows.map(toJob)
      }),
    start: (id, { by, reason, rate, at }) =>
      changeAs(by, (store) =>
        updateJob(store, id)
          .set({
            ...actorColumns(by),
            phase: 'gathering',
            reason,
            rate,
            started_at: at,
            ...nobodyAtIt,
            reached_at: null,
            reached_id: null,
          })
          .where('phase', '=', 'planned'),
      ),
    pause: (id, at) =>
      changes(
        updateJob(db, id)
          .set({ paused_at: at, ...nobodyAtIt })
          .where('phase', 'in', ['gathering', 'running'])
          .where('paused_at', 'is', null),
      ),
    resume: (id, by) =>
      changeAs(by, (store) =>
        updateJob(store, id)
          .set({ ...actorColumns(by), paused_at: null })
          .where('ended_at', 'is', null)
          .where('paused_at', 'is not', null),
      ),
    cancel: (id, at) =>
      changes(
        updateJob(db, id)
          .set({
            phase: 'ended',
            cancelled_at: at,
            ended_at: at,
            search_keys: null,
            ...nobodyAtIt,
          })
          .where('ended_at', 'is', null),
      ),
    actsOn: (leadId, take) =>
      retryConflicts(async () => {
        const rows = await db
          .selectFrom('job_members')
          .innerJoin('jobs', 'jobs.id', 'job_members.job_id')
          .leftJoin('operators', 'operators.id', 'jobs.operator_id')
          .select(['jobs.id as jobId', 'job_members.at', 'job_members.outcome', 'jobs.action'])
          .select(['jobs.reason', 'operators.email', 'jobs.system_user'])
          .where('job_members.lead_id', '=', leadId)
          .orderBy('jobs.id', 'desc')
          .limit(take)
          .execute()
        return rows.flatMap(({ email, system_user, at, outcome, ...act }) =>
          at === null || outcome === null
            ? []
            : [{ ...act, at, outcome, who: email ?? system_user ?? '' }],
        )
      }),
    members: (id, { outcome, after, take }) =>
      retryConflicts(async () => {
        const rows = await db
          .selectFrom('job_members')
          .select(['position', 'lead_id', 'outcome', 'detail'])
          .where('job_id', '=', id)
          .where('outcome', '=', outcome)
          .where('position', '>', after)
          .orderBy('position')
          .limit(take)
          .execute()
        return rows.map(({ lead_id, ...member }) => ({ ...member, leadId: lead_id }))
      }),
  }
}

const nobodyAtIt = { lease: null, leased_until: null }

async function removeOldestPlans(db: Database, { by }: Pick<NewJob, 'by'>): Promise<void> {
  const { operator_id, system_user } = actorColumns(by)
  const older = db
    .selectFrom('jobs')
    .select('id')
    .where('ended_at', 'is', null)
    .where('phase', 'in', ['planning', 'planned'])
    .$if(by.kind === 'console', (query) => query.where('operator_id', '=', operator_id ?? ''))
    .$if(by.kind !== 'console', (query) => query.where('system_user', '=', system_user ?? ''))
    .orderBy('id', 'desc')
    .limit(1000)
    .offset(mostPlans)
  await db.deleteFrom('jobs').where('id', 'in', older).execute()
}

const updateJob = (db: Database, id: string) => db.updateTable('jobs').where('id', '=', id)

const toRow = ({ id, action, query, keys, by, rate, at }: NewJob) => ({
  id,
  action,
  query,
  is_of_search: keys === undefined ? 0 : 1,
  search_keys: keys === undefined ? null : JSON.stringify(keys),
  ...actorColumns(by),
  phase: 'planning' as const,
  planned_at: at,
  plan: JSON.stringify(noPlan),
  rate,
})
