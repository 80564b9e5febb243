import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the visits under way, the rollup that visits are counted in, and the device of a lead. */
export const visits: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    // SQLite then keeps the counts in the order of their key, and reads a range of time without looking up each row.
    const clustered = isPostgres ? '' : 'without rowid'
    const statements = [
      `create table visits (
        id text primary key, began_at bigint not null, seen_at bigint not null, area text not null,
        device text not null, program integer, source text, campaign text, affiliate text,
        progress text not null, folded_at bigint
      )`,
      'create index visits_open on visits (seen_at) where folded_at is null',
      `create table funnel_groups (
        id bigint primary key, area text not null, source text, campaign text, affiliate text, device text,
        program integer, first_at bigint not null, seen_at bigint not null
      )`,
      'create index funnel_groups_newest on funnel_groups (first_at)',
      `create table funnel_counts (
        from_at bigint not null, group_id bigint not null, event text not null, detail text not null,
        n bigint not null, primary key (from_at, group_id, event, detail)
      ) ${clustered}`,
      'alter table lead_index add column device text',
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
