import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds caps on leads to send, what has used them up, and the deliveries that wait for them. */
export const caps: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      `create table caps (
        id text primary key, program integer, affiliate_id text, state text, max_leads integer,
        period text not null, opens_at integer, closes_at integer, blocked_states text not null,
        follows_distributor integer not null, full_since bigint, created_at bigint not null
      )`,
      `create table cap_uses (
        cap_id text not null references caps (id) on delete cascade, period text not null,
        delivery_id text not null references deliveries (id) on delete cascade, used_at bigint not null,
        primary key (cap_id, period, delivery_id)
      )`,
      'create index cap_uses_of_delivery on cap_uses (delivery_id)',
      `create table held_deliveries (
        delivery_id text primary key references deliveries (id) on delete cascade,
        cap_id text not null references caps (id) on delete cascade, until_at bigint not null,
        because text not null
      )`,
      'create index held_deliveries_of_cap on held_deliveries (cap_id)',
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
