import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds a table in which processes say that their machine's clock is wrong. */
export const migrationClockDifferences: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table clock_differences (
      server text primary key, ahead_ms bigint not null, seen_at bigint not null
    )`.execute(db)
  },
}
