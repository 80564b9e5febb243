import type { Kysely, Transaction } from 'kysely'
import type { StoreWork } from '#server/platform/database/lead-database.ts'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type ErasableLead, eraseLeads } from './erase-leads.ts'

export interface EraseOrder {
  readonly ids: readonly string[]
  /** Epoch milliseconds. */
  readonly now: number
}

export const eraseExpiredLeads: StoreWork<EraseOrder, number> = {
  name: 'eraseExpiredLeads',
  run: eraseOldLeads,
  isSlow: true,
}

/**
 * In one transaction. What was found before is checked again once its rows are locked; a row that another process has at
 * that moment is left to it.
 * @returns how many were erased
 */
function eraseOldLeads(
  db: Kysely<StoreTables>,
  { ids, now }: EraseOrder,
  locking: Locking,
): Promise<number> {
  return db.transaction().execute(async (store) => {
    const locked: readonly ErasableLead[] = await store
      .selectFrom('leads')
      .select(['id', 'area', 'payload'])
      .where('id', 'in', ids)
      .where('erased_at', 'is', null)
      .orderBy('id')
      .$if(locking === 'rows', (query) => query.forUpdate().skipLocked())
      .execute()
    const owed = await lockOwed(store, locked)
    const leads = locked.filter(({ id }) => !owed.has(id))
    await eraseLeads(store, leads, { by: 'retention', now, locking })
    return leads.length
  })
}

/**
 * Those that have become due again, or were released, since they were found. The update changes nothing: it keeps
 * deliveries as they are until the commit, and a release waits for the lead.
 */
async function lockOwed(
  store: Transaction<StoreTables>,
  leads: readonly ErasableLead[],
): Promise<ReadonlySet<string>> {
  if (leads.length === 0) return new Set()
  const rows = await store
    .updateTable('deliveries')
    .set((eb) => ({ lead_id: eb.ref('lead_id') }))
    .where(
      'lead_id',
      'in',
      leads.map(({ id }) => id),
    )
    .returning(['lead_id', 'settled_as'])
    .execute()
  return new Set(rows.filter((row) => row.settled_as === null).map((row) => row.lead_id))
}
