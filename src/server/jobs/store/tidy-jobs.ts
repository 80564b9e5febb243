import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { JobWork } from '../job-store.ts'

/** A batch: as many rows as one is gathered with. */
const atOnce = 256

/** Which leads old jobs were about, and plans that nobody has started. The reports stay. */
export async function tidyJobs(
  db: Kysely<StoreTables>,
  { endedBefore, plannedBefore }: Parameters<JobWork['tidy']>[0],
): Promise<number> {
  const old = await db
    .selectFrom('jobs')
    .select('id')
    .where('members_removed_at', 'is', null)
    .where('ended_at', '<', endedBefore)
    .orderBy('ended_at')
    .limit(1)
    .executeTakeFirst()
  if (old !== undefined) return removeSome(db, old.id, endedBefore)
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('ended_at', 'is', null)
    .where('phase', 'in', ['planning', 'planned'])
    .where('planned_at', '<', plannedBefore)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** From the first one on; where none is left, that is noted. */
async function removeSome(db: Kysely<StoreTables>, id: string, now: number): Promise<number> {
  const first = await db
    .selectFrom('job_members')
    .select('position')
    .where('job_id', '=', id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) {
    await db.updateTable('jobs').set({ members_removed_at: now }).where('id', '=', id).execute()
    return 1
  }
  const { numDeletedRows } = await db
    .deleteFrom('job_members')
    .where('job_id', '=', id)
    .where('position', '<', first.position + atOnce)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
