import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { StoreTables } from './tables/store-tables.ts'

/** The name of the secret that search keys are hashed with. Migration 0022 creates the secret. */
export const searchKeySecretName = 'lead keys'

/** The name of the secret that the do-not-contact list is hashed with. Migration 0035 creates the secret. */
export const doNotContactSecretName = 'do not contact'

/** The secrets that must move with the rows that were hashed with them. */
export const movedSecretNames = [searchKeySecretName, doNotContactSecretName]

export const readSearchKeySecret = (db: Kysely<StoreTables>): Promise<string> =>
  readSharedSecret(db, searchKeySecretName)

const known = new WeakMap<Kysely<StoreTables>, Map<string, string>>()

/**
 * Reads a secret that all processes on the store share, and caches it for the connection pool or transaction. The first
 * process that asks for a secret creates it.
 */
export async function readSharedSecret(db: Kysely<StoreTables>, name: string): Promise<string> {
  const secrets = known.get(db) ?? new Map<string, string>()
  known.set(db, secrets)
  const secret = secrets.get(name) ?? (await findOrMakeSecret(db, name))
  secrets.set(name, secret)
  return secret
}

async function findOrMakeSecret(db: Kysely<StoreTables>, name: string): Promise<string> {
  const find = db.selectFrom('secrets').select('value').where('name', '=', name)
  const stored = await find.executeTakeFirst()
  if (stored !== undefined) return stored.value
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await find.executeTakeFirstOrThrow()).value
}
