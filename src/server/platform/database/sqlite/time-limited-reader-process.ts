import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Statement, serializeError } from './database-thread.ts'
import type { ReaderReply } from './time-limited-readers.ts'

// This process has one read-only connection for the console's queries: see time-limited-readers.ts.
const [, , file = ''] = process.argv
/** SQLite's default of 2 MiB holds fewer pages than a list at a million leads reads. */
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
    return { fault: serializeError(error) }
  }
}

process.on('message', (statement: Statement) => process.send?.(runStatement(statement)))
process.on('disconnect', () => process.exit())
// A terminal and systemd signal the whole process group. The server first answers its last pages, and then ends this
// process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
