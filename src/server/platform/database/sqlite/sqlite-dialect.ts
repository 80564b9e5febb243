import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'

/** Kysely's SQLite dialect with a driver of our own. */
export const makeSqliteDialect = (
  driver: Omit<Driver, 'init' | 'releaseConnection' | 'savepoint'>,
): Dialect => ({
  createDriver: () => ({
    init: async () => undefined,
    releaseConnection: async () => undefined,
    ...driver,
  }),
  createQueryCompiler: () => new LocklessSqliteCompiler(),
  createAdapter: () => new WritersInTurnAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** Leaves out `for update` and similar clauses, because a transaction of SQLite locks the whole file. */
class LocklessSqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

class WritersInTurnAdapter extends SqliteAdapter {
  /** Schema changes run in a transaction; otherwise, two processes could create the same tables at once. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Kysely need not queue statements: writers already take turns, and readers never wait. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export const makeKyselyConnection = (
  run: (query: CompiledQuery) => Promise<QueryResult<unknown>>,
): DatabaseConnection => ({
  executeQuery: <Row>(query: CompiledQuery) => run(query) as Promise<QueryResult<Row>>,
  streamQuery: () => {
    throw new Error('SQLite rows cannot be streamed: read them in pages.')
  },
})

/**
 * After a plain `begin`, the first write fails at once, whatever the busy_timeout, if another process has written since
 * the first read (SQLITE_BUSY_SNAPSHOT). With `begin immediate`, the transaction waits at its start instead.
 */
export const beginImmediateSql = 'begin immediate'

/** Long statements, whose text depends on the number of rows, are not cached. */
const maxCachedSqlLength = 2000
const maxCachedCharacters = 100 * maxCachedSqlLength

/** Makes the dialect for one `node:sqlite` connection, in the thread that uses the connection. */
export function makeNodeSqliteDialect(database: DatabaseSync): Dialect {
  // Prepared statements are cached, because preparing a statement takes longer than running it.
  const prepared = new LRUCache({
    maxSize: maxCachedCharacters,
    maxEntrySize: maxCachedSqlLength,
    sizeCalculation: (_, sql) => sql.length,
    memoMethod: (sql: string) => {
      const statement = database.prepare(sql)
      return { statement, returnsRows: statement.columns().length > 0 }
    },
  })
  const connection = makeKyselyConnection(async ({ sql, parameters }) => {
    const { statement, returnsRows } = prepared.memo(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
  })
  return makeSqliteDialect({
    acquireConnection: async () => connection,
    beginTransaction: async () => database.exec(beginImmediateSql),
    commitTransaction: async () => database.exec('commit'),
    // SQLite rolls back by itself on a full disk; a second rollback would fail and hide the original error.
    rollbackTransaction: async () => {
      if (database.isTransaction) database.exec('rollback')
    },
    destroy: async () => database.close(),
  })
}
