import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The gate that all workers share, what a delivery's retries need to know, and counts that stay cheap. */
export const deliveryGate: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('delivery_gate')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('paused_by', 'text')
      .addColumn('pause_reason', 'text')
      .addColumn('paused_at', 'bigint')
      .addColumn('outage_since', 'bigint')
      .addColumn('failed_probes', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('probe', 'text')
      .addColumn('probe_at', 'bigint')
      .execute()
    await sql`insert into delivery_gate (id) values (1)`.execute(db)

    // SQLite adds one column a statement.
    for (const name of ['spared', 'unknown_attempts', 'possible_duplicates']) {
      await db.schema
        .alterTable('deliveries')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    }
    await db.schema.alterTable('deliveries').addColumn('waits_since', 'bigint').execute()
    await db.schema.alterTable('deliveries').addColumn('settled_because', 'text').execute()

    await db.schema
      .createIndex('deliveries_waiting')
      .on('deliveries')
      .column('waits_since')
      .where(sql.ref('settled_at'), 'is', null)
      .where(sql.ref('waits_since'), 'is not', null)
      .execute()
    await db.schema
      .createIndex('deliveries_settled_because')
      .on('deliveries')
      .column('settled_because')
      .where(sql.ref('settled_because'), 'is not', null)
      .execute()
    await db.schema
      .createIndex('deliveries_possibly_sent_twice')
      .on('deliveries')
      .column('possible_duplicates')
      .where(sql.ref('possible_duplicates'), '>', sql.lit(0))
      .execute()
    await db.schema.createIndex('attempts_by_outcome').on('attempts').column('outcome').execute()
  },
}
