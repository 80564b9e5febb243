import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LoggableError } from '#domain/loggable-error.ts'
import { Lazy } from '../memory.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { StoreTables } from './tables/store-tables.ts'

/**
 * Reads secrets by name, each once. All processes on the store get the same secret: the first process that asks creates
 * it.
 */
export function makeSharedSecret(db: Kysely<StoreTables>): (name: string) => Promise<string> {
  const secrets = new Map<string, Lazy<string>>()
  return (name) => {
    const secret = secrets.get(name) ?? new Lazy(() => findOrMakeSecret(db, name))
    secrets.set(name, secret)
    return secret.get()
  }
}

const findOrMakeSecret = (db: Kysely<StoreTables>, name: string): Promise<string> =>
  retryConflicts(async () => {
    const known = await findSecret(db, name)
    if (known !== undefined) return known
    const value = randomBytes(32).toString('hex')
    await db
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    const kept = await findSecret(db, name)
    if (kept === undefined) throw new LoggableError(`the secret ${name} was not stored`)
    return kept
  })

async function findSecret(db: Kysely<StoreTables>, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

/** The name of the secret that the keys of leads are hashed with. Migration 0024 creates it. */
export const leadKeySecretName = 'lead keys'

const leadKeySecrets = new WeakMap<Kysely<StoreTables>, string>()

/** Reads the secret once for each connection pool. Each transaction reads it again. */
export async function leadKeySecret(db: Kysely<StoreTables>): Promise<string> {
  const known = leadKeySecrets.get(db)
  if (known !== undefined) return known
  const secret = await findSecret(db, leadKeySecretName)
  if (secret === undefined)
    throw new LoggableError('the store lacks the secret for the leads’ keys')
  leadKeySecrets.set(db, secret)
  return secret
}
