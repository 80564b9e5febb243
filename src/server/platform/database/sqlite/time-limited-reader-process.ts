import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Statement, toFault } from './database-thread.ts'
import type { ReaderReply } from './time-limited-readers.ts'

// This process runs the console's queries on one read-only connection: see time-limited-readers.ts.
const [, , file = ''] = process.argv
/** In a store with a million leads, a list reads more pages than SQLite's default cache of 2 MiB can hold. */
const readCacheKiB = 16 * 1024
let database: DatabaseSync | undefined

function openDatabase(): DatabaseSync {
  const opened = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  opened.exec(`pragma cache_size = -${readCacheKiB}`)
  return opened
}

function runStatement({ sql, parameters }: Statement): ReaderReply {
  try {
    database ??= openDatabase()
    return { rows: database.prepare(sql).all(...(parameters as SQLInputValue[])) }
  } catch (error) {
    return toFault(error)
  }
}

process.on('message', (statement: Statement) => process.send?.(runStatement(statement)))
process.on('disconnect', () => process.exit())
// A terminal and systemd signal the whole process group. The reader process ignores the signals, because the server
// first answers its last pages, and then ends the reader process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
