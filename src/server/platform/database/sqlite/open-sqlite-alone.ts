import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteBusy, sqliteCode } from '../../faults/sqlite-code.ts'

/** Long enough for a verb that is about to end; a server does not. */
const busyTimeoutMs = 1000

export type SqliteAlone =
  | { readonly kind: 'opened'; readonly database: DatabaseSync }
  | { readonly kind: 'missing' }
  /** Another process has it open. */
  | { readonly kind: 'in use' }

/**
 * Opens `<dataDir>/leads.sqlite` so that nobody else can, until it is closed: in WAL mode every connection holds a
 * shared lock on the file for as long as it is open, and this takes an exclusive one
 * (https://sqlite.org/wal.html#use_of_wal_without_shared_memory).
 */
export function openSqliteAlone(dataDir: string): SqliteAlone {
  const file = join(dataDir, 'leads.sqlite')
  if (!existsSync(file)) return { kind: 'missing' }
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    database.exec('pragma locking_mode = exclusive')
    database.exec('begin immediate; commit')
    return { kind: 'opened', database }
  } catch (error) {
    database.close()
    if (sqliteCode(error) === sqliteBusy) return { kind: 'in use' }
    throw error
  }
}
