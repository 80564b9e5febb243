import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Gives caps weekdays and holidays. A cap of an earlier release has none, and so sends leads every day. */
export const daysOfCapsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['weekdays', 'holidays'])
      await sql.raw(`alter table caps add column ${column} text not null default ''`).execute(db)
  },
}
