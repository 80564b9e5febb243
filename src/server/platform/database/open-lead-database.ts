import type { LeadDatabase } from './lead-database.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { closeOnFailure } from './run-and-close.ts'
import { assertStoreUndamaged, markStoreDamaged } from './sqlite/data-folder.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { lockStoreForServer } from './sqlite/server-lock.ts'

/**
 * Opens SQLite in `dataDir`, or PostgreSQL if `databaseUrl` is given.
 * @param server the name of the server that opens the store; undefined for a command
 */
export async function openLeadDatabase(
  dataDir: string,
  databaseUrl?: string,
  server?: string,
): Promise<LeadDatabase> {
  if (databaseUrl) return openPostgres(databaseUrl, server)
  return server === undefined ? openSqlite(dataDir) : openSqliteAsServer(dataDir, server)
}

async function openSqliteAsServer(dataDir: string, server: string): Promise<LeadDatabase> {
  const unlock = lockStoreForServer(dataDir, server)
  return closeOnFailure(async () => {
    const database = await openSqlite(dataDir)
    const close = () => database.close().finally(unlock)
    await closeOnFailure(() => assertStoreUndamaged(dataDir, database.db), database.close)
    void database.damaged.then(() => markStoreDamaged(dataDir))
    return { ...database, close }
  }, unlock)
}
