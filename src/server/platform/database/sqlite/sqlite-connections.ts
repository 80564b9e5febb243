import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import type { DatabaseTask } from '../lead-database.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import { makeBoundedReaders } from './bounded-readers.ts'
import { makeDatabaseThread, type Statement } from './database-thread.ts'
import { LocklessSqliteCompiler, TransactionalDdlAdapter } from './sqlite-dialect.ts'

type Result = QueryResult<unknown>
type OnFault = (error: Error) => void

/** How long SQLite waits for another process's transaction, in milliseconds; the caller then retries. */
const busyTimeoutMs = 1000

export type SqliteConnections = ReturnType<typeof makeSqliteConnections>

/**
 * One writing and one read-only connection, each in its own thread: in WAL mode a long list or count does not delay an
 * enquiry. The console reads in processes that can be killed: see bounded-readers.ts.
 * @param onFault called with every SQLite error on any of the connections
 */
export function makeSqliteConnections(file: string, onFault: OnFault = () => undefined) {
  const options = { timeout: busyTimeoutMs }
  const writer = makeDatabaseThread(file, options, onFault)
  const reader = makeDatabaseThread(file, { ...options, readOnly: true }, onFault)
  const boundedReaders = makeBoundedReaders(file, onFault)
  const turns = makeWriteQueue()
  const inTurn = async <Output>(run: () => Promise<Output>): Promise<Output> => {
    await turns.take()
    return run().finally(turns.end)
  }
  const runInTransaction = (statement: Statement): Promise<Result> => writer.call('run', statement)
  const runSql = (sql: string) => runInTransaction({ sql, parameters: [] })
  return {
    read: (statement: Statement): Promise<Result> => reader.call('run', statement),
    /** @throws QueryTooLongError after `queryLimitMs` */
    readBounded: boundedReaders.read,
    /** Runs a statement in its own transaction. */
    write: (statement: Statement) => inTurn(() => runInTransaction(statement)),
    run: <Argument, Output>({ name }: DatabaseTask<Argument, Output>, argument: Argument) =>
      inTurn(() => writer.call<Output>(name, argument)),
    /**
     * Copies the write-ahead log into the file and empties it.
     * @returns false if another connection blocked the copy; this function does not wait
     */
    truncateLog: (): Promise<boolean> =>
      inTurn(async () => {
        // With a timeout, SQLite would block all writers while it waits for a reader.
        await runSql('pragma busy_timeout = 0')
        try {
          const { rows } = await runSql('pragma wal_checkpoint(truncate)')
          return (rows as { busy: number }[])[0]?.busy === 0
        } finally {
          await runSql(`pragma busy_timeout = ${busyTimeoutMs}`)
        }
      }),
    /**
     * A plain `begin` takes the write lock at its first write, and fails at once if another process has written since its
     * first read, whatever the busy_timeout (SQLITE_BUSY_SNAPSHOT). `begin immediate` waits instead.
     */
    begin: async (): Promise<void> => {
      await turns.take()
      try {
        await runSql('begin immediate')
      } catch (error) {
        turns.end()
        throw error
      }
    },
    runInTransaction,
    /** After a failed commit, the caller must still roll the transaction back. */
    commit: async (): Promise<void> => {
      await runSql('commit')
      turns.end()
    },
    rollback: () => writer.call<void>('rollback').finally(turns.end),
    /** The writer closes last: SQLite removes the write-ahead log with the last connection. */
    close: async (): Promise<void> => {
      await boundedReaders.close()
      await reader.close()
      await writer.close()
    },
  }
}

/** Lets one writer run at a time, in the order of arrival. */
export function makeWriteQueue() {
  let isTaken = false
  const waiting: (() => void)[] = []
  return {
    /** Resolves when the caller may write. The caller must then call `end`. */
    take: async (): Promise<void> => {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
    },
    end: (): void => {
      const next = waiting.shift()
      if (next === undefined) isTaken = false
      else next()
    },
  }
}

/**
 * Kysely's SQLite dialect on these connections.
 * @param reading runs statements that read outside of a transaction
 */
export const makeWorkerThreadDialect = (
  connections: SqliteConnections,
  reading: 'read' | 'readBounded' = 'read',
): Dialect => ({
  createDriver: () => makeThreadDriver(connections, reading),
  createQueryCompiler: () => new LocklessSqliteCompiler(),
  createAdapter: () => new SerialTransactionsAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** Kysely need not queue statements: the `WriteQueue` orders writers, and readers never wait. */
class SerialTransactionsAdapter extends TransactionalDdlAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function makeThreadDriver(connections: SqliteConnections, reading: 'read' | 'readBounded'): Driver {
  const inTransaction = new WeakSet<DatabaseConnection>()
  const acquireConnection = async (): Promise<DatabaseConnection> => {
    const connection: DatabaseConnection = {
      executeQuery: <Row>({ sql, parameters, query }: CompiledQuery) => {
        const isRead =
          query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && reads.test(sql))
        const verb = isRead ? reading : 'write'
        const result = inTransaction.has(connection)
          ? connections.runInTransaction({ sql, parameters })
          : retryConflicts(() => connections[verb]({ sql, parameters }))
        return result as Promise<QueryResult<Row>>
      },
      streamQuery: () => {
        throw new Error('SQLite rows cannot be streamed: read them in pages.')
      },
    }
    return connection
  }
  return {
    init: async () => undefined,
    acquireConnection,
    beginTransaction: async (connection) => {
      await connections.begin()
      inTransaction.add(connection)
    },
    commitTransaction: async (connection) => {
      await connections.commit()
      inTransaction.delete(connection)
    },
    rollbackTransaction: async (connection) => {
      inTransaction.delete(connection)
      await connections.rollback()
    },
    releaseConnection: async () => undefined,
    destroy: () => connections.close(),
  }
}

/**
 * Recognizes raw SQL that only reads. The read-only connection refuses writes, and pragmas configure the writing
 * connection.
 */
const reads = /^\s*(select|with)\b(?!.*\bpragma_)/is
