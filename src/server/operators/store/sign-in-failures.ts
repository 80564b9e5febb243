import { type Kysely, sql } from 'kysely'
import { forgottenAfter, waitAfter } from '#domain/operator/guessing.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { GuessedAt, SignInFailures, TryOutcome } from '../sign-in/sign-in-failures.ts'

export function makeSignInFailures(db: Kysely<StoreTables>): SignInFailures {
  return {
    begin: (guessedAt, now) =>
      retryConflicts(() =>
        db.transaction().execute(async (store) => {
          await forgetOld(store, now)
          return begin(store, guessedAt, now)
        }),
      ),
    forget: (key) =>
      retryConflicts(async () => {
        await db.deleteFrom('sign_in_failures').where('key', '=', key).execute()
      }),
    takeBack: (key, at) =>
      retryConflicts(async () => {
        await db
          .updateTable('sign_in_failures')
          .set({
            count: sql`case when count > 0 then count - 1 else 0 end`,
            // The wait that this try caused. A later failure has set its own.
            free_at: sql`case when last_at = ${at} then 0 else free_at end`,
          })
          .where('key', '=', key)
          .execute()
      }),
  }
}

const forgetOld = (store: Kysely<StoreTables>, now: number) =>
  store
    .deleteFrom('sign_in_failures')
    .where('last_at', '<', now - forgottenAfter)
    .execute()

/** The upsert locks each row first: of several tries at once each sees the others. */
async function begin(
  store: Kysely<StoreTables>,
  guessedAt: readonly GuessedAt[],
  now: number,
): Promise<TryOutcome> {
  const rows: { key: string; count: number; free_at: number; slowing: GuessedAt['slowing'] }[] = []
  for (const { key, slowing } of guessedAt) {
    const row = await store
      .insertInto('sign_in_failures')
      .values({ key, count: 0, last_at: now, free_at: 0 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ count: sql`sign_in_failures.count` }),
      )
      .returning(['key', 'count', 'free_at'])
      .executeTakeFirstOrThrow()
    rows.push({ ...row, slowing })
  }
  const until = Math.max(...rows.map(({ free_at }) => Number(free_at)))
  if (until > now) return { kind: 'wait', until }
  for (const { key, count, slowing } of rows) {
    const failures = count + 1
    await store
      .updateTable('sign_in_failures')
      .set({ count: failures, last_at: now, free_at: now + waitAfter(failures, slowing) })
      .where('key', '=', key)
      .execute()
  }
  return { kind: 'go', failures: (rows[0]?.count ?? 0) + 1 }
}
