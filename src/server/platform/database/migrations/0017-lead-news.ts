import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which leads the lists have followed of late, for the pages that are open. */
export const leadNews: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const seq = isPostgres
      ? sql`bigint generated always as identity primary key`
      : sql`integer primary key`
    await sql`create table lead_news (seq ${seq}, leads text not null)`.execute(db)
  },
}
