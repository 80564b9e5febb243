import { sql } from 'kysely'
import { OwnError } from '#domain/own-error.ts'
import { claimDue } from './deliveries/claim-due.ts'
import { recordAttempts } from './deliveries/record-attempts.ts'
import type { LeadDatabase } from './lead-database.ts'
import { arrivalGroups } from './leads/arrival-groups.ts'
import { migrateStore } from './migrate-store.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { makeArrivalWriter } from './postgres/store-arrivals.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/** SQLite in `dataDir`, or PostgreSQL where an address is given. */
export async function openLeadDatabase(
  dataDir: string,
  databaseUrl: string | undefined,
): Promise<LeadDatabase> {
  if (!databaseUrl) return openSqlite(dataDir)
  const { db, patient, unhurried, pool, close } = await openPostgres(databaseUrl)
  const arrivals = arrivalGroups(makeArrivalWriter(db, pool), 'later')
  return {
    db,
    patient,
    storeArrival: (arrival) => arrivals.add(arrival),
    canSkipLocked: true,
    claimDue: (claim) => claimDue(db, claim),
    recordAttempts: (attempts) => recordAttempts(db, attempts, 'rows'),
    migrate: () => migrateStore(unhurried),
    // A server that has become a standby, or was set read-only because its disk is full.
    assertWritable: async () => {
      const { rows } = await sql<{ setting: string }>`
        select current_setting('transaction_read_only') as setting`.execute(db)
      if (rows[0]?.setting !== 'off')
        throw new OwnError('PostgreSQL takes no writes: it is read-only.')
    },
    wipe: async () => 'left to the database',
    close,
  }
}
