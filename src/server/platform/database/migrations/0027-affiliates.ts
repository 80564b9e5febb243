import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the affiliates, and the ids that each of them sends. */
export const affiliates: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      `create table affiliates (
        id text primary key, name text not null unique, notes text not null, payout_cents integer,
        postback_url text, created_at bigint not null
      )`,
      'create table affiliate_ids (affid text primary key, affiliate_id text not null)',
      'create index affiliate_ids_affiliate on affiliate_ids (affiliate_id)',
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
