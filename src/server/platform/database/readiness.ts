import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isCorrupt, isInvalidRow } from '../faults/database-errors.ts'
import { makeTimedCache } from '../timed-cache.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** The shortest time between two checks of the store, in milliseconds, however many monitors and pages ask. */
const tryIntervalMs = 1000

/**
 * The time between two trial writes to a healthy store, in milliseconds. Only trial writes show a full disk to a
 * process that gets no enquiries.
 */
const idleTryIntervalMs = 30_000

/**
 * Reports whether enquiries can be stored. The first enquiry that fails makes the store unready at once. After a
 * failure, each check tries a write, because behind a load balancer, no enquiry arrives after a 503 that could show
 * that the store works again.
 * @param assertUsable rejects if the database does not answer, lacks a migration or refuses writes
 * @param tryTestWrite rejects if the database cannot write as much as enquiries need
 */
export function makeReadiness(
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
      // A successful trial write does not disprove a failure that came after the write began, nor a corrupt table,
      // which the write does not read completely.
      if (before === notStored && !isCorrupt(before?.error)) notStored = undefined
    },
    () => tryIntervalMs,
  )
  return {
    /** Records that an enquiry was not stored. An invalid value in one enquiry says nothing about others. */
    refused: (error: unknown): void => {
      if (!isInvalidRow(error)) notStored = { error }
    },
    stored: (): void => {
      if (isCorrupt(notStored?.error)) notStored = undefined
    },
    /** Makes the store unready for good, because stored leads may lie on a damaged page. */
    foundDamaged: (error: Error): void => {
      damage = error
    },
    assertUndamaged,
    /** Rejects if enquiries cannot be stored. Asks the store at most once a second for all callers. */
    ready: async (): Promise<void> => {
      assertUndamaged()
      await check()
      if (notStored !== undefined) throw notStored.error
    },
  }
}

/** The size of a trial write in characters, larger than one transaction with 16 enquiries. */
const testWriteLength = 256 * 1024

/** The trial write is a row of the `secrets` table, where names are unique. */
const testWriteName = 'write trial'

/**
 * Writes as much data as many enquiries do, and removes it. On an almost full disk, a smaller write could succeed for
 * many more seconds. The trial is too costly to repeat every second on a healthy store.
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
