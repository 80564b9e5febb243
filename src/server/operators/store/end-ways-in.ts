import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/**
 * Locks an operator's row, on both databases, until the transaction ends: a sign-in that is under way and a change of what it
 * signs in with come one after the other.
 * @returns whether they may sign in
 */
export async function lockOperator(store: Kysely<StoreTables>, id: string): Promise<boolean> {
  const row = await store
    .updateTable('operators')
    .set((eb) => ({ email: eb.ref('email') }))
    .where('id', '=', id)
    .returning('disabled_at')
    .executeTakeFirst()
  return row?.disabled_at === null
}

/**
 * Ends what an operator is or could come in by: sessions, and links that nobody has used. Part of each transaction that changes
 * a credential.
 * @param keptSessionId the session that makes the change
 * @returns how many sessions ended
 */
export async function endWaysIn(
  store: Kysely<StoreTables>,
  operatorId: string,
  keptSessionId: string | undefined,
): Promise<number> {
  await store.deleteFrom('operator_links').where('operator_id', '=', operatorId).execute()
  const ended = await store
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .$if(keptSessionId !== undefined, (query) => query.where('id', '!=', keptSessionId ?? ''))
    .returning('id')
    .execute()
  return ended.length
}
