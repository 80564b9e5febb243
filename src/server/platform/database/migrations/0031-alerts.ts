import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the row that decides which process sends alerts, and remembers the troubles that it has told. */
export const alerts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table alert_state (
      id integer primary key, holder text not null, held_until bigint not null, told text not null
    )`.execute(db)
  },
}
