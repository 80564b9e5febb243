import type { Kysely } from 'kysely'
import { makeAuditIdPrefix } from '#server/operators/audit.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** A limit, in milliseconds: the difference of two processes' clocks, plus the time from a row's id to its commit. */
const recentMs = 10_000

/** A plan stays open for a week, so there can be many open jobs; only the newest are compared. */
const maxOpenJobs = 50

/**
 * Reads a text that changes when leads, attempts, jobs or the breaker change, so that open pages of the console reload.
 * The query reads the ends of a few indexes, so its cost does not grow with the leads. The text may also change without
 * a change of data, for example when a change becomes ten seconds old.
 */
export const readChangeMarker = async (db: Kysely<StoreTables>): Promise<string> => {
  const newest = (table: 'leads' | 'attempts' | 'audit') =>
    db
      .selectFrom(table)
      .select(({ fn }) => [fn.countAll().as('rows'), fn.max('id').as('newest')])
      .where('id', '>', makeAuditIdPrefix(Date.now() - recentMs))
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
