import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'
import type { Patience } from './patience.ts'

type Bounds = Pick<Patience, 'lock' | 'idleInTransaction'>

/**
 * PostgreSQL, which undoes a transaction by itself where we stand still in it or are cut off: nobody else could free
 * the rows that it has locked. Said at the begin, in the same message, it holds behind a pooler, too, which hands each
 * transaction to another session.
 */
export class BoundedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #bounds: Bounds

  constructor(config: PostgresDialectConfig, bounds: Bounds) {
    super(config)
    this.#config = config
    this.#bounds = bounds
  }

  override createDriver(): PostgresDriver {
    return new BoundedDriver(this.#config, this.#bounds)
  }
}

class BoundedDriver extends PostgresDriver {
  readonly #begin: CompiledQuery

  constructor(config: PostgresDialectConfig, { lock, idleInTransaction }: Bounds) {
    super(config)
    this.#begin = CompiledQuery.raw(
      `begin; set local lock_timeout = ${lock}; ` +
        `set local idle_in_transaction_session_timeout = ${idleInTransaction}`,
    )
  }

  /** At PostgreSQL's own isolation level, as no transaction of ours asks for another. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(this.#begin)
  }
}
