import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { idEndPosition } from '#domain/lead/reference.ts'

/**
 * Lets the store refuse a lead whose reference another lead has. Leads of earlier releases, which may share references,
 * have none in the column: see `find-references.ts`. The disclosures that pages have shown get a table, too.
 */
export const referencesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [
      'alter table leads add column reference text',
      'create unique index leads_reference on leads (reference)',
      `create index leads_id_end on leads (substr(id, ${idEndPosition})) where reference is null`,
      'create table shown_disclosures (id text primary key, text text not null)',
    ])
      await sql.raw(statement).execute(db)
  },
}
