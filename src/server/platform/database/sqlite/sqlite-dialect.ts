import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type Driver,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'

/** Kysely's SQLite dialect on Node's own SQLite. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    super({ database: adaptDatabase(database) })
    this.#database = database
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollback = driver.rollbackTransaction.bind(driver)
    // A plain `begin` takes the write lock at its first write, and fails at once if another process has written since
    // its first read, whatever the busy_timeout (SQLITE_BUSY_SNAPSHOT). `begin immediate` waits instead.
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    }
    // SQLite rolls back by itself on a full disk; a second rollback would fail and hide the original error.
    driver.rollbackTransaction = async (connection) => {
      if (this.#database.isTransaction) await rollback(connection)
    }
    return driver
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new LocklessSqliteCompiler()
  }
}

/** Leaves `for update` and similar clauses out, because a transaction of SQLite locks the whole file. */
export class LocklessSqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

/**
 * Tells Kysely that SQLite's transactions cover schema changes. Without a transaction, two processes could create the
 * same tables at once.
 */
export class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function adaptDatabase(database: DatabaseSync): SqliteDatabase {
  const known = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const prepared = known.get(sql) ?? prepareStatement(database, sql)
      if (sql.length <= maxCachedSqlLength && known.size < maxKept) known.set(sql, prepared)
      return prepared
    },
  }
}

/**
 * Prepared statements are cached, because preparing takes longer than running. Long statements, whose text depends on
 * the number of rows, are not cached.
 */
const maxCachedSqlLength = 2000
const maxKept = 100

function prepareStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  }
}
