import { sql, type Transaction } from 'kysely'
import type { StoreTables } from '../store-tables.ts'

const guarded = ['audit_outcomes', 'audit'] as const

/**
 * Takes out of a PostgreSQL store, before another one's leads come into it, whoever tried the console there while it had
 * no lead. Its audit goes, too: who moves a store owns the tables, and may put their guard aside for the transaction.
 */
export async function emptyOperators(target: Transaction<StoreTables>): Promise<void> {
  await target.deleteFrom('operator_sessions').execute()
  await target.deleteFrom('operator_links').execute()
  await target.deleteFrom('operator_credentials').execute()
  await target.deleteFrom('operators').execute()
  for (const table of guarded) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(target)
    await target.deleteFrom(table).execute()
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(target)
  }
}
