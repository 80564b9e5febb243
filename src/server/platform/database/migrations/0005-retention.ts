import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Remembers why a lead was erased. Retention makes most leads erased ones, so their deliveries know it too: counting
 * them takes an index, not a join. Neither index has an entry for what is not erased.
 */
export const retention: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('leads').addColumn('erased_by', 'text').execute()
    await db.schema.alterTable('deliveries').addColumn('lead_erased_at', 'bigint').execute()
    await sql`update leads set erased_by = 'request' where erased_at is not null`.execute(db)
    await sql`
      update deliveries set lead_erased_at = settled_at
      where lead_id in (select id from leads where erased_at is not null)`.execute(db)
    await db.schema
      .createIndex('leads_erased_by')
      .on('leads')
      .column('erased_by')
      .where(sql.ref('erased_by'), 'is not', null)
      .execute()
    await db.schema
      .createIndex('deliveries_of_erased')
      .on('deliveries')
      .column('settled_as')
      .where(sql.ref('lead_erased_at'), 'is not', null)
      .execute()
  },
}
