import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isCorrupt, isInvalidRow } from '../faults/database-errors.ts'
import { makeTimedCache } from '../timed-cache.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** The shortest time between two checks of the store, in milliseconds, however many monitors and pages ask. */
const tryIntervalMs = 1000

/**
 * The time between two test writes to a healthy store, in milliseconds. Only test writes show a full disk to a process
 * that gets no enquiries.
 */
const idleTryIntervalMs = 30_000

/**
 * Reports whether enquiries can be stored. The first enquiry that cannot be stored makes the store unready at once.
 * Each check of an unready store tries a write, because a load balancer sends no enquiries to an unready process, and
 * only a write can show that the store works again.
 * @param assertUsable rejects if the database does not answer, lacks a migration or refuses writes
 * @param tryTestWrite rejects if the database cannot write as much as enquiries need
 */
export function makeStoreReadiness(
  assertUsable: () => Promise<void>,
  tryTestWrite: () => Promise<void>,
) {
  let triedAt = Number.NEGATIVE_INFINITY
  let damage: Error | undefined
  let notStored: { readonly error: unknown } | undefined
  const assertUndamaged = (): void => {
    if (damage !== undefined) throw damage
  }
  const check = makeTimedCache(
    async () => {
      await assertUsable()
      const before = notStored
      if (!before && performance.now() - triedAt < idleTryIntervalMs) return
      await tryTestWrite()
      triedAt = performance.now()
      // A successful test write proves nothing about an enquiry that failed after the write began, nor about a corrupt
      // table, which the write does not read completely.
      if (before === notStored && !isCorrupt(before?.error)) notStored = undefined
    },
    () => tryIntervalMs,
  )
  return {
    /** Records that an enquiry was not stored. Ignores an invalid value, which affects no other enquiry. */
    refused: (error: unknown): void => {
      if (!isInvalidRow(error)) notStored = { error }
    },
    stored: (): void => {
      if (isCorrupt(notStored?.error)) notStored = undefined
    },
    /** Makes the store unready until a restart, because a damaged database file may lose later leads. */
    foundDamaged: (error: Error): void => {
      damage = error
    },
    assertUndamaged,
    /** Rejects if enquiries cannot be stored. Checks the store at most once a second for all callers. */
    ready: async (): Promise<void> => {
      assertUndamaged()
      await check()
      if (notStored !== undefined) throw notStored.error
    },
  }
}

/** The size of a test write in characters, larger than one transaction with 16 enquiries. */
const testWriteLength = 256 * 1024

/** The name of the row that a test write inserts into the table `secrets`. */
const testWriteName = 'write trial'

/**
 * Writes as much data as 16 enquiries need, and deletes it. On an almost full disk, a smaller write could succeed for
 * many seconds after enquiries fail. The write is too costly to repeat every second on a healthy store.
 */
export async function tryTestWrite(db: Kysely<StoreTables>): Promise<void> {
  // Neither SQLite nor PostgreSQL can compress random text.
  const value = randomBytes((testWriteLength * 3) / 4).toString('base64')
  await db
    .insertInto('secrets')
    .values({ name: testWriteName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  await db.deleteFrom('secrets').where('name', '=', testWriteName).execute()
}
