import type { DatabaseConnection, Dialect, QueryResult } from 'kysely'
import type { DatabaseTask } from '../lead-database.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import { makeDatabaseThread, type Statement } from './database-thread.ts'
import { beginImmediateSql, makeKyselyConnection, makeSqliteDialect } from './sqlite-dialect.ts'
import { makeTimeLimitedReaders } from './time-limited-readers.ts'

type RunStatement = (statement: Statement) => Promise<QueryResult<unknown>>

/** How long SQLite waits for another process's transaction, in milliseconds; then the caller retries. */
const busyTimeoutMs = 1000

/**
 * Makes one writing and one read-only connection, each in its own thread, so that a long list or count does not delay
 * an enquiry. The console's queries run in processes that can be killed: see time-limited-readers.ts.
 * @param onFault called with every SQLite error on any of the connections
 */
export function makeSqliteConnections(
  file: string,
  onFault: (error: Error) => void = () => undefined,
) {
  const options = { timeout: busyTimeoutMs }
  const writer = makeDatabaseThread(file, options, onFault)
  const reader = makeDatabaseThread(file, { ...options, readOnly: true }, onFault)
  const timeLimitedReaders = makeTimeLimitedReaders(file, onFault)
  const takeTurn = makeWriteQueue()
  const inTurn = async <Output>(write: () => Promise<Output>): Promise<Output> => {
    const endTurn = await takeTurn()
    return write().finally(endTurn)
  }
  const runInWriter: RunStatement = (statement) => writer.call('run', statement)
  const runSql = (sql: string) => runInWriter({ sql, parameters: [] })
  /** Closes the writer last, because SQLite removes the write-ahead log with the last connection. */
  const close = async (): Promise<void> => {
    await timeLimitedReaders.close()
    await reader.close()
    await writer.close()
  }
  /** @param read runs reading statements outside of transactions */
  const makeDialect = (read: RunStatement): Dialect => {
    /** The connections that are in a transaction, each with the function that ends its turn to write. */
    const inTransaction = new WeakMap<DatabaseConnection, () => void>()
    const endTransaction = (connection: DatabaseConnection): void => {
      inTransaction.get(connection)?.()
      inTransaction.delete(connection)
    }
    return makeSqliteDialect({
      acquireConnection: async () => {
        const connection = makeKyselyConnection(({ sql, parameters, query }) => {
          const statement = { sql, parameters }
          if (inTransaction.has(connection)) return runInWriter(statement)
          const isRead =
            query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && reads.test(sql))
          return retryConflicts(() =>
            isRead ? read(statement) : inTurn(() => runInWriter(statement)),
          )
        })
        return connection
      },
      beginTransaction: async (connection) => {
        const endTurn = await takeTurn()
        try {
          await runSql(beginImmediateSql)
          inTransaction.set(connection, endTurn)
        } catch (error) {
          endTurn()
          throw error
        }
      },
      // If the commit fails, Kysely rolls the transaction back, which ends the turn.
      commitTransaction: async (connection) => {
        await runSql('commit')
        endTransaction(connection)
      },
      rollbackTransaction: (connection) =>
        writer.call<void>('rollback').finally(() => endTransaction(connection)),
      destroy: close,
    })
  }
  return {
    dialect: makeDialect((statement) => reader.call('run', statement)),
    /** Runs the console's queries, which fail with a `QueryTooLongError` after `queryLimitMs`. */
    timeLimitedDialect: makeDialect(timeLimitedReaders.read),
    run: <Argument, Output>({ name }: DatabaseTask<Argument, Output>, argument: Argument) =>
      inTurn(() => writer.call<Output>(name, argument)),
    /**
     * Copies the write-ahead log into the file and empties the log, without waiting.
     * @returns false if another connection blocked the copy
     */
    truncateLog: (): Promise<boolean> =>
      inTurn(async () => {
        // With a timeout, SQLite would block all writers while it waits for a reading connection.
        await runSql('pragma busy_timeout = 0')
        try {
          const { rows } = await runSql('pragma wal_checkpoint(truncate)')
          return (rows as { busy: number }[])[0]?.busy === 0
        } finally {
          await runSql(`pragma busy_timeout = ${busyTimeoutMs}`)
        }
      }),
    close,
  }
}

/**
 * Makes a queue that lets one writer run at a time, in the order of arrival.
 * @returns a function that waits for the caller's turn, and resolves with the function that ends the turn
 */
export function makeWriteQueue() {
  let lastTurn: Promise<void> = Promise.resolve()
  return async (): Promise<() => void> => {
    const earlierTurn = lastTurn
    const { promise, resolve } = Promise.withResolvers<void>()
    lastTurn = promise
    await earlierTurn
    return resolve
  }
}

/**
 * Recognizes raw SQL that may run on the read-only connection. A query of `pragma_…` must run on the writing
 * connection, because it asks about that connection's settings.
 */
const reads = /^\s*(select|with)\b(?!.*\bpragma_)/is
