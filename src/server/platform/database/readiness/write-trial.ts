import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'

/** More than 16 visitors write in one transaction, so that they fit where this did; in characters. */
const trialLength = 256 * 1024

/** Beside the secrets, where a name has one value. */
const trial = 'write trial'

/**
 * Writes as much as many enquiries do, and removes it. On a disk that is full but for a page or two anything smaller
 * says for many seconds that all is well. Too much for a check that is made every second on a store that is well.
 */
export async function tryToWrite(db: Kysely<StoreTables>): Promise<void> {
  // Neither SQLite nor PostgreSQL makes less of it.
  const value = randomBytes((trialLength * 3) / 4).toString('base64')
  await db
    .insertInto('secrets')
    .values({ name: trial, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  await db.deleteFrom('secrets').where('name', '=', trial).execute()
}
