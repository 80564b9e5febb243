import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import {
  type BackoffPolicy,
  failureLifetimeMs,
  findBackoffDelay,
  ownAccountBackoff,
} from '#domain/operator/sign-in-limits.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { AuditLog } from './audit.ts'

type Db = Kysely<StoreTables>

/** Thrown before an action starts if there were too many attempts. */
export class TooManyAttemptsError extends Error {
  override readonly name = 'TooManyAttemptsError'
  /** Seconds until the next attempt is allowed. */
  readonly seconds: number

  constructor(seconds: number) {
    super(`too many attempts: again in ${seconds} s`)
    this.seconds = seconds
  }
}

/**
 * Returns the key that attempts are counted under. Each kind has only 65,536 keys, so that strangers can't fill the
 * store with invented accounts. Accounts with the same key share their backoff.
 */
export function makeSignInAttemptKey(
  kind: 'account' | 'network' | 'browser' | 'own acts',
  ...parts: readonly string[]
): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${kind} ${hash.slice(0, 4)}`
}

interface SignInAttemptCounter {
  /** Made by {@link makeSignInAttemptKey}, without personal data. */
  readonly key: string
  readonly policy: BackoffPolicy
}

/**
 * Counts an attempt as failed before it is checked, so that simultaneous attempts can't exceed the limit. An attempt
 * during a backoff is refused and not counted. The upsert locks each row, so that simultaneous attempts see each other.
 * @returns the first key's number of failures, including this attempt; or until when to wait, in epoch milliseconds
 */
export async function beginSignInAttempt(
  db: Db,
  counters: readonly SignInAttemptCounter[],
  now: number,
) {
  // Reading first keeps attempts during a backoff from writing to the disk, which enquiries need, too.
  const keys = counters.map(({ key }) => key)
  const waiting = await db
    .selectFrom('sign_in_failures')
    .select('free_at')
    .where('key', 'in', keys)
    .where('free_at', '>', now)
    .execute()
  if (waiting.length > 0) {
    const until = Math.max(...waiting.map(({ free_at }) => Number(free_at)))
    return { kind: 'wait', until } as const
  }
  return runInTransaction(db, async (tx) => {
    await tx
      .deleteFrom('sign_in_failures')
      .where('last_at', '<', now - failureLifetimeMs)
      .execute()
    const rows: { key: string; count: number; free_at: number; policy: BackoffPolicy }[] = []
    for (const { key, policy } of counters) {
      const row = await tx
        .insertInto('sign_in_failures')
        .values({ key, count: 0, last_at: now, free_at: 0 })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ count: sql`sign_in_failures.count` }),
        )
        .returning(['key', 'count', 'free_at'])
        .executeTakeFirstOrThrow()
      rows.push({ ...row, policy })
    }
    const until = Math.max(...rows.map(({ free_at }) => Number(free_at)))
    if (until > now) return { kind: 'wait', until } as const
    for (const { key, count, policy } of rows) {
      const failures = count + 1
      await tx
        .updateTable('sign_in_failures')
        .set({
          count: failures,
          last_at: now,
          free_at: now + findBackoffDelay(failures, policy),
        })
        .where('key', '=', key)
        .execute()
    }
    return { kind: 'go', failures: (rows[0]?.count ?? 0) + 1 } as const
  })
}

export const clearSignInAttempts = async (db: Db, key: string): Promise<void> => {
  await db.deleteFrom('sign_in_failures').where('key', '=', key).execute()
}

/**
 * Removes a successful attempt from the count, and ends its backoff. Other failures in the same network stay counted.
 * @param at when the attempt began, as given to {@link beginSignInAttempt}
 */
export const forgetSuccessfulAttempt = async (db: Db, key: string, at: number): Promise<void> => {
  await db
    .updateTable('sign_in_failures')
    .set({
      count: sql`case when count > 0 then count - 1 else 0 end`,
      // A later failure has set its own backoff, which stays.
      free_at: sql`case when last_at = ${at} then 0 else free_at end`,
    })
    .where('key', '=', key)
    .execute()
}

/** The actions that {@link throttleOwnAccountActions} counts. Ending a session needs no limit: its sign-in was counted. */
const ownActions: ReadonlySet<AuditAction> = new Set([
  'signed in',
  'was asked again',
  'was refused',
  'set a password',
  'added a passkey',
  'removed a passkey',
])

/**
 * Limits audit entries about an operator's own account, so that no operator fills the disk with permanent entries.
 * @throws TooManyAttemptsError from `record`; nothing was recorded or done
 */
export const throttleOwnAccountActions = (audit: AuditLog, db: Db): AuditLog => ({
  ...audit,
  record: async (actor, entry, at) => {
    if (actor.kind === 'console' && ownActions.has(entry.action)) {
      const counters = [
        { key: makeSignInAttemptKey('own acts', actor.id), policy: ownAccountBackoff },
      ]
      const begun = await beginSignInAttempt(db, counters, at)
      if (begun.kind === 'wait') {
        throw new TooManyAttemptsError(Math.ceil((begun.until - at) / 1000))
      }
    }
    return audit.record(actor, entry, at)
  },
})
