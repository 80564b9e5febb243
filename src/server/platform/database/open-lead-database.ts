import { sql } from 'kysely'
import { OwnError } from '#domain/own-error.ts'
import type { LeadDatabase } from './lead-database.ts'
import { migrateStore } from './migrations/migrate-store.ts'
import { findSessions, openPostgres } from './postgres/open-postgres.ts'
import { closeOnFailure } from './run-and-close.ts'
import { markDamaged, refuseDamaged } from './sqlite/data-folder.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { lockForServer } from './sqlite/server-lock.ts'

/**
 * SQLite in `dataDir`, or PostgreSQL where an address is given.
 * @param server the name of the server that opens it; none for a verb
 */
export async function openLeadDatabase(
  dataDir: string,
  databaseUrl?: string,
  server?: string,
): Promise<LeadDatabase> {
  if (!databaseUrl) {
    return server === undefined ? openSqlite(dataDir) : openSqliteAsServer(dataDir, server)
  }
  const postgres = await openPostgres(databaseUrl, server)
  const { db, patient, bounded, unhurried, close } = postgres
  return {
    place: postgres.place,
    db,
    patient,
    bounded,
    // Its server sees to that, and to which tables: see is-corrupt.ts.
    damaged: new Promise(() => undefined),
    run: ({ run, isSlow }, argument) => run(isSlow ? patient : db, argument, 'rows'),
    locking: 'rows',
    migrate: () => migrateStore(unhurried),
    hasTable: async (name) => {
      const { rows } = await sql`select 1 where to_regclass(${name}) is not null`.execute(db)
      return rows.length > 0
    },
    servers: () => findSessions(db),
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

async function openSqliteAsServer(dataDir: string, server: string): Promise<LeadDatabase> {
  const unlock = lockForServer(dataDir, server)
  return closeOnFailure(async () => {
    const database = await openSqlite(dataDir)
    const close = () => database.close().finally(unlock)
    await closeOnFailure(() => refuseDamaged(dataDir, database.db), database.close)
    void database.damaged.then(() => markDamaged(dataDir))
    return { ...database, close }
  }, unlock)
}
