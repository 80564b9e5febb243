import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the visits in progress, the rollup that visits are counted in, and the device of a lead. */
export const visits: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    // Without rowids, SQLite keeps the counts in the order of their key, and reads a group without looking up each row.
    const clustered = isPostgres ? '' : 'without rowid'
    const statements = [
      `create table visits (
        id text primary key, began_at bigint not null, seen_at bigint not null, area text not null,
        device text not null, program integer, source text, campaign text, affiliate text,
        progress text not null, folded_at bigint
      )`,
      'create index visits_open on visits (seen_at) where folded_at is null',
      `create table funnel_groups (
        id bigint primary key, scope text not null, area text, source text, campaign text, affiliate text,
        device text, program integer, first_at bigint not null, seen_at bigint not null
      )`,
      'create index funnel_groups_scope on funnel_groups (scope, first_at)',
      `create table funnel_counts (
        group_id bigint not null, from_at bigint not null, event text not null, detail text not null,
        n bigint not null, primary key (group_id, from_at, event, detail)
      ) ${clustered}`,
      'create index funnel_counts_period on funnel_counts (from_at)',
      'alter table lead_index add column device text',
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
