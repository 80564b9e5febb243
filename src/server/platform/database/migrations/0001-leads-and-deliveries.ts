import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The first schema. A lead that is erased takes its consent, delivery and attempts with it. */
export const leadsAndDeliveries: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('leads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('idempotency_key', 'text', (column) => column.notNull().unique())
      .addColumn('same_enquiry_hash', 'text', (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('area', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('duplicate_of', 'text', (column) =>
        column.references('leads.id').onDelete('set null'),
      )
      .addColumn('payload', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('leads_newest').on('leads').columns(['received_at', 'id']).execute()

    await db.schema
      .createTable('disclosures')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('text', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('consents')
      .addColumn('lead_id', 'text', (column) =>
        column.primaryKey().references('leads.id').onDelete('cascade'),
      )
      .addColumn('disclosure_hash', 'text', (column) =>
        column.notNull().references('disclosures.hash'),
      )
      .addColumn('agreed_at', 'bigint', (column) => column.notNull())
      .addColumn('ip', 'text', (column) => column.notNull())
      .addColumn('user_agent', 'text', (column) => column.notNull())
      .addColumn('page_url', 'text', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('enquirers')
      .addColumn('same_enquiry_hash', 'text', (column) => column.primaryKey())
      .addColumn('lead_id', 'text', (column) =>
        column.notNull().references('leads.id').onDelete('cascade'),
      )
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('deliveries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('lead_id', 'text', (column) =>
        column.notNull().unique().references('leads.id').onDelete('cascade'),
      )
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('lease', 'text')
      .addColumn('leased_until', 'bigint')
      .addColumn('settled_as', 'text')
      .addColumn('settled_at', 'bigint')
      .execute()
    // Holds what waits and nothing else, so that claiming costs the same beside a million settled deliveries.
    await db.schema
      .createIndex('deliveries_due')
      .on('deliveries')
      .columns(['next_at', 'id'])
      .where(sql.ref('settled_at'), 'is', null)
      .execute()

    await db.schema
      .createTable('attempts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('delivery_id', 'text', (column) =>
        column.notNull().references('deliveries.id').onDelete('cascade'),
      )
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('duration_ms', 'bigint', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('http_status', 'integer')
      .addColumn('detail', 'text')
      .execute()
    await db.schema
      .createIndex('attempts_of_delivery')
      .on('attempts')
      .column('delivery_id')
      .execute()
  },
}
