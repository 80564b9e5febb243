import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { TransactionalDdlAdapter } from '../sqlite-dialect.ts'
import type { SqliteConnections } from './sqlite-connections.ts'

/** Where statements run: see sqlite-connections.ts. */
type Connections = Pick<
  SqliteConnections,
  'read' | 'write' | 'begin' | 'runInTransaction' | 'commit' | 'rollback' | 'close'
>

/** Kysely's SQLite dialect on connections in threads. */
export class ThreadDialect implements Dialect {
  readonly #connections: Connections

  constructor(connections: Connections) {
    this.#connections = connections
  }

  createDriver(): Driver {
    return new ThreadDriver(this.#connections)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): DialectAdapter {
    return new TakingTurnsAdapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}

/** Who takes turns with whom is known better here: readers with nobody. */
class TakingTurnsAdapter extends TransactionalDdlAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class ThreadDriver implements Driver {
  readonly #connections: Connections

  constructor(connections: Connections) {
    this.#connections = connections
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ThreadConnection> {
    return new ThreadConnection(this.#connections)
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    await this.#connections.begin()
    connection.isInTransaction = true
  }

  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await this.#connections.commit()
    connection.isInTransaction = false
  }

  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    connection.isInTransaction = false
    await this.#connections.rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#connections.close()
  }
}

/**
 * Written by hand, as the console's lists are. The connection that reads refuses what writes nevertheless. Settings are
 * those of the one that writes.
 */
const reads = /^\s*(select|with)\b(?!.*\bpragma_)/is

class ThreadConnection implements DatabaseConnection {
  readonly #connections: Connections
  isInTransaction = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = { sql, parameters }
    const isRead = query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && reads.test(sql))
    const result = this.isInTransaction
      ? this.#connections.runInTransaction(statement)
      : isRead
        ? this.#connections.read(statement)
        : this.#connections.write(statement)
    return result as Promise<QueryResult<Row>>
  }

  // biome-ignore lint/correctness/useYield: it is there to say no.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows come from a thread: read them in pages.')
  }
}
