import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Remembers in whose days visits were counted. Until this release, days began at midnight UTC. */
export const countedZonesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [
      'create table counted_zones (began_at bigint primary key not null, zone text not null)',
      "insert into counted_zones (began_at, zone) select 0, 'UTC' where exists (select 1 from funnel_counts)",
    ])
      await sql.raw(statement).execute(db)
  },
}
