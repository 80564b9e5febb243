import type { Kysely } from 'kysely'
import { forgottenAfter } from '#domain/operator/guessing.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { sessionTimes } from '../sessions/keep-sessions.ts'
import { makeOperatorSessions } from './operator-sessions.ts'

/**
 * Takes away what is over its time and means nothing any more: tries that failed, links, sessions. Each is looked at with its
 * time wherever it is asked for; this is so that none of it lies there for good.
 * @param now epoch milliseconds
 */
export async function forgetEnded(db: Kysely<StoreTables>, now: number): Promise<void> {
  await retryConflicts(async () => {
    await db
      .deleteFrom('sign_in_failures')
      .where('last_at', '<', now - forgottenAfter)
      .execute()
    await db.deleteFrom('operator_links').where('expires_at', '<=', now).execute()
    const anHourAgo = now - 60 * 60 * 1000
    await db.deleteFrom('lead_searches').where('created_at', '<', anHourAgo).execute()
    await db.deleteFrom('export_progress').where('began_at', '<', anHourAgo).execute()
  })
  await makeOperatorSessions(db).forgetClosed({
    beganSince: now - sessionTimes.whole,
    seenSince: now - sessionTimes.idle,
  })
}
