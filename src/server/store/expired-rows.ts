import { type Kysely, sql } from 'kysely'
import { day, hour } from '#domain/durations.ts'
import { failureLifetimeMs } from '#domain/operator/sign-in-limits.ts'
import { searchLifetimeMs } from '#server/leads/person-searches.ts'
import { deleteOldVisitCounts } from '#server/measuring/visit-counts.ts'
import { sessionLifetimes } from '#server/operators/sessions.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** Tables whose rows expire, the column with a row's time, and how long after it a row stays, in milliseconds. */
const expiring = [
  ['sign_in_failures', 'last_at', failureLifetimeMs],
  ['operator_links', 'expires_at', 0],
  ['operator_sessions', 'began_at', sessionLifetimes.total],
  ['operator_sessions', 'seen_at', sessionLifetimes.idle],
  ['lead_searches', 'created_at', searchLifetimeMs],
  // The overview compares the last day with the seven days before.
  ['delivery_rollups', 'from_at', 8 * day],
  // What caps counted stays longer than a month, which is the longest period of a cap.
  ['cap_uses', 'used_at', 62 * day],
  ['held_deliveries', 'until_at', day],
  ['notifications', 'settled_at', 90 * day],
  ['clock_differences', 'seen_at', hour],
] as const

/** Deletes the rows that nothing needs any more, most of which queries already ignore. */
export async function deleteExpiredRows(db: Kysely<StoreTables>, now: number): Promise<void> {
  for (const [table, time, lifetime] of expiring) {
    await db
      .deleteFrom(table)
      .where(sql<boolean>`${sql.ref(time)} < ${now - lifetime}`)
      .execute()
  }
  await deleteOldVisitCounts(db, now)
}
