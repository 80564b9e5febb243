import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the list of people who asked not to be contacted, and the list of their leads that had already been sent. */
export const doNotContactMigration: Migration = {
  up: async (db) => {
    for (const statement of [
      'create table do_not_contact (key text primary key, listed_at bigint not null)',
      `create table sent_before_stop (
        lead_id text primary key references leads (id) on delete cascade, stopped_at bigint not null
      )`,
      'create index sent_before_stop_newest on sent_before_stop (stopped_at)',
    ])
      await sql.raw(statement).execute(db)
    const secret = randomBytes(32).toString('base64url')
    await sql`insert into secrets (name, value) values ('do not contact', ${secret})`.execute(db)
  },
}
