import { writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { CompiledQuery, Kysely } from 'kysely'
import { sanitizeError } from '../../faults/sanitize-error.ts'
import type { DatabaseTask } from '../lead-database.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { type Statement, type ThreadCall, type ThreadReply, toFault } from './database-thread.ts'
import { makeNodeSqliteDialect } from './sqlite-dialect.ts'

type AnyTask = DatabaseTask<never, unknown>

/** Serves one SQLite connection in this thread: see database-thread.ts. */
export function serveDatabaseThread(tasks: readonly AnyTask[]): void {
  // An unexpected error ends the thread and with it the process. On a busy machine, the process may end before it
  // receives the error, so the thread prints the error.
  process.on('uncaughtExceptionMonitor', (error) =>
    writeSync(
      2,
      `${JSON.stringify({ err: sanitizeError(error), msg: 'the SQLite thread has ended' })}\n`,
    ),
  )
  const { file, options } = workerData
  const database = new DatabaseSync(file, { ...options, open: false })
  const db = new Kysely<StoreTables>({ dialect: makeNodeSqliteDialect(database) })
  const verbs: Record<string, (argument: never) => Promise<unknown>> = {
    run: ({ sql, parameters }: Statement) =>
      db.executeQuery(CompiledQuery.raw(sql, [...parameters])),
    // SQLite may have rolled the transaction back by itself.
    rollback: async () => {
      if (database.isTransaction) database.exec('rollback')
    },
    close: async () => {
      if (database.isOpen) database.close()
    },
    ...Object.fromEntries(
      tasks.map(({ name, run }) => [name, (argument: never) => run(db, argument)]),
    ),
  }
  parentPort?.on('message', async ({ id, verb, argument }: ThreadCall) => {
    const run = verbs[verb]
    if (run === undefined) throw new TypeError(`The SQLite thread has no function ${verb}.`)
    const answer = async () => {
      if (!database.isOpen && verb !== 'close') database.open()
      return run(argument as never)
    }
    const reply: ThreadReply = await answer().then(
      (result) => ({ id, result }),
      (error: unknown) => ({ id, ...toFault(error) }),
    )
    parentPort?.postMessage(reply)
  })
}
