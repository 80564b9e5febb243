import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How many answers in a row an outage's probes have had. */
export const answeredProbes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('delivery_gate')
      .addColumn('answered_probes', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
