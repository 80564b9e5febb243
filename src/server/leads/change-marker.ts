import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeIdPrefix } from '#server/platform/database/time-ordered-id.ts'

/** The longest time from making a row's id to committing the row, in milliseconds. */
const recentMs = 10_000

/** How many of the newest open jobs the marker covers. A plan stays open for a week, so many jobs can be open. */
const maxOpenJobs = 50

/**
 * Reads a text that changes when leads, attempts, jobs or the breaker change; open pages of the console then reload.
 * The queries read only the ends of a few indexes, so they stay fast however many leads there are. The text also
 * changes when a new row becomes ten seconds old.
 */
export const readChangeMarker = async (db: Kysely<StoreTables>, now: number): Promise<string> => {
  const newest = (table: 'leads' | 'attempts' | 'audit') =>
    db
      .selectFrom(table)
      .select(({ fn }) => [fn.countAll().as('rows'), fn.max('id').as('newest')])
      .where('id', '>', makeIdPrefix(now - recentMs))
      .executeTakeFirst()
  return JSON.stringify([
    await newest('leads'),
    await newest('attempts'),
    await newest('audit'),
    await db.selectFrom('delivery_gate').selectAll().execute(),
    await db
      .selectFrom('jobs')
      .select(['id', 'phase', 'plan', 'members', 'done', 'paused_at'])
      .where('ended_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(maxOpenJobs)
      .execute(),
  ])
}
