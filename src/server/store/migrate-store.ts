import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { leadsAndDeliveries } from './migrations/0001-leads-and-deliveries.ts'
import { deliveryGate } from './migrations/0002-delivery-gate.ts'
import { erasedLeads } from './migrations/0003-erased-leads.ts'
import { retention } from './migrations/0005-retention.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { StoreTables } from './store-tables.ts'

/** In order of their names. One that has been released is never changed. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-leads-and-deliveries': leadsAndDeliveries,
  '0002-delivery-gate': deliveryGate,
  '0003-erased-leads': erasedLeads,
  '0005-retention': retention,
}

/** Brings the schema up to date, all or nothing. Several processes may do so at once: the later ones wait and find it done. */
export function migrateStore(db: Kysely<StoreTables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
  })
  return retryConflicts(async () => {
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  })
}

/** Rejects where the database does not answer, or lacks a migration that this version needs. */
export async function assertMigrated(db: Kysely<StoreTables>): Promise<void> {
  const rows = await db.selectFrom('kysely_migration').select('name').execute()
  const done = new Set(rows.map(({ name }) => name))
  const missing = Object.keys(migrations).filter((name) => !done.has(name))
  if (missing.length > 0)
    throw new Error(`The database lacks the migrations ${missing.join(', ')}.`)
}
