import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Lets operators remove a payout or revenue with which no lead was accepted: the statement that deletes it checks that.
 * The ledger, which says what counts, stays append-only.
 */
export const unusedValuesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    for (const table of ['payouts', 'revenues']) {
      const statements = isPostgres
        ? [
            `drop trigger ${table}_no_change on ${table}`,
            `create trigger ${table}_no_change before update on ${table}
              for each row execute function refuse_change()`,
          ]
        : [`drop trigger ${table}_no_delete`]
      for (const statement of statements) await sql.raw(statement).execute(db)
    }
  },
}
