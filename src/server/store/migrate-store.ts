import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { OwnError } from '#domain/own-error.ts'
import { leadsAndDeliveries } from './migrations/0001-leads-and-deliveries.ts'
import { deliveryGate } from './migrations/0002-delivery-gate.ts'
import { erasedLeads } from './migrations/0003-erased-leads.ts'
import { quarantine } from './migrations/0004-quarantine.ts'
import { retention } from './migrations/0005-retention.ts'
import { attemptReasons } from './migrations/0006-attempt-reasons.ts'
import { corrections } from './migrations/0007-corrections.ts'
import { breakerProbes } from './migrations/0008-breaker-probes.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { StoreTables } from './store-tables.ts'

/** In order of their names. One that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-leads-and-deliveries': leadsAndDeliveries,
  '0002-delivery-gate': deliveryGate,
  '0003-erased-leads': erasedLeads,
  '0004-quarantine': quarantine,
  '0005-retention': retention,
  '0006-attempt-reasons': attemptReasons,
  '0007-corrections': corrections,
  '0008-breaker-probes': breakerProbes,
}

/**
 * Brings the schema up to date, all or nothing. What a later version has added is left as it is, so that this one can
 * start again where the later one is rolled back: docs/decisions/0075.
 * Several processes may do so at once: the later ones wait and find it done.
 */
export function migrateStore(db: Kysely<StoreTables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...(await doneAlready(db)), ...migrations }) },
  })
  return retryConflicts(async () => {
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  })
}

/** Kysely refuses a database with a migration that it is not shown. A new database has no list of them yet. */
async function doneAlready(db: Kysely<StoreTables>): Promise<Record<string, Migration>> {
  const rows = await db
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
    .catch(() => [])
  return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => undefined }]))
}

/** Rejects where the database does not answer, or lacks a migration that this version needs. */
export async function assertMigrated(db: Kysely<StoreTables>): Promise<void> {
  const rows = await db.selectFrom('kysely_migration').select('name').execute()
  const done = new Set(rows.map(({ name }) => name))
  const missing = Object.keys(migrations).filter((name) => !done.has(name))
  if (missing.length > 0)
    throw new OwnError(`The database lacks the migrations ${missing.join(', ')}.`)
}
