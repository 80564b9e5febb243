import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import { Lazy } from '../../lazy.ts'
import type { DatabaseTask } from '../lead-database.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import { BoundedReaders } from './bounded-readers.ts'
import { type DatabaseThread, openThread, type Statement } from './database-thread.ts'
import { LocklessSqliteCompiler, TransactionalDdlAdapter } from './sqlite-dialect.ts'

type Result = QueryResult<unknown>
type OnFault = (error: Error) => void

/** How long SQLite waits for another process's transaction, in milliseconds; the caller then retries. */
const busyTimeoutMs = 1000

/**
 * One writing and one read-only connection, each in its own thread: in WAL mode a long list or count does not delay an
 * enquiry. The read-only connection opens at the first read. The console reads in processes that can be killed: see
 * bounded-readers.ts.
 */
export class SqliteConnections {
  readonly #writer: Lazy<DatabaseThread>
  readonly #reader: Lazy<DatabaseThread>
  readonly #boundedReaders: BoundedReaders
  readonly #turns = new WriteQueue()

  /** @param onFault called with every SQLite error on any of the connections */
  constructor(file: string, onFault: OnFault = () => undefined) {
    const options = { timeout: busyTimeoutMs }
    this.#writer = new Lazy(() => openThread(file, options, onFault))
    this.#reader = new Lazy(() => openThread(file, { ...options, readOnly: true }, onFault))
    this.#boundedReaders = new BoundedReaders(file, onFault)
  }

  async read(statement: Statement): Promise<Result> {
    return (await this.#reader.get()).call('run', statement)
  }

  /** @throws QueryTooLongError after `queryLimitMs` */
  readBounded(statement: Statement): Promise<Result> {
    return this.#boundedReaders.read(statement)
  }

  /** Runs a statement in its own transaction. */
  write(statement: Statement): Promise<Result> {
    return this.#inTurn(() => this.runInTransaction(statement))
  }

  run<Argument, Output>(
    { name }: DatabaseTask<Argument, Output>,
    argument: Argument,
  ): Promise<Output> {
    return this.#inTurn(async () => (await this.#writer.get()).call<Output>(name, argument))
  }

  /**
   * Copies the write-ahead log into the file and empties it.
   * @returns false if another connection blocked the copy; this function does not wait
   */
  truncateLog(): Promise<boolean> {
    const run = (sql: string) => this.runInTransaction({ sql, parameters: [] })
    return this.#inTurn(async () => {
      // With a timeout, SQLite would block all writers while it waits for a reader.
      await run('pragma busy_timeout = 0')
      try {
        const { rows } = await run('pragma wal_checkpoint(truncate)')
        return (rows as { busy: number }[])[0]?.busy === 0
      } finally {
        await run(`pragma busy_timeout = ${busyTimeoutMs}`)
      }
    })
  }

  async #inTurn<Output>(run: () => Promise<Output>): Promise<Output> {
    await this.#turns.take()
    return run().finally(() => this.#turns.end())
  }

  /**
   * A plain `begin` takes the write lock at its first write, and fails at once if another process has written since its
   * first read, whatever the busy_timeout (SQLITE_BUSY_SNAPSHOT). `begin immediate` waits instead.
   */
  async begin(): Promise<void> {
    await this.#turns.take()
    try {
      await this.runInTransaction({ sql: 'begin immediate', parameters: [] })
    } catch (error) {
      this.#turns.end()
      throw error
    }
  }

  async runInTransaction(statement: Statement): Promise<Result> {
    return (await this.#writer.get()).call('run', statement)
  }

  /** After a failed commit, the caller must still roll the transaction back. */
  async commit(): Promise<void> {
    await this.runInTransaction({ sql: 'commit', parameters: [] })
    this.#turns.end()
  }

  async rollback(): Promise<void> {
    const writer = await this.#writer.get()
    await writer.call<void>('rollback').finally(() => this.#turns.end())
  }

  /** The writer closes last: SQLite removes the write-ahead log with the last connection. */
  async close(): Promise<void> {
    await this.#boundedReaders.close()
    for (const thread of [this.#reader, this.#writer]) {
      const opened = await thread.made()?.catch(() => undefined)
      await opened?.close()
    }
  }
}

/** Lets one writer run at a time, in the order of arrival. */
export class WriteQueue {
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  /** Resolves when the caller may write. The caller must then call `end`. */
  async take(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
  }

  end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
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
