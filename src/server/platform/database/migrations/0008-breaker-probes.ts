import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the breaker needs to tell the distributor from the leads. */
export const breakerProbes: Migration = {
  async up(db: Kysely<unknown>) {
    // SQLite adds one column a statement.
    const breaker = db.schema.alterTable('delivery_gate')
    for (const name of ['refused_probes', 'akin_refused_probes', 'enough_refusals']) {
      await breaker.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0)).execute()
    }
    for (const name of ['patient_until', 'repeat_at', 'start_probe_at']) {
      await breaker.addColumn(name, 'bigint').execute()
    }
  },
}
