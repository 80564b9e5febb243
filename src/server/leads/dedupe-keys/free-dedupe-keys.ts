import type { Kysely } from 'kysely'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { dedupeKeyOfRow, keyColumns } from './dedupe-key-of-row.ts'

/**
 * Leads that nobody has erased yet hold nobody from now on. By the key's own index: to look for the leads' ids all keys
 * are read, a second for a million. In one order, so that two processes that meet do not deadlock.
 */
export async function freeDedupeKeys(
  store: Kysely<StoreTables>,
  leadIds: readonly string[],
  locking: Locking,
): Promise<void> {
  const leads = await store
    .selectFrom('leads')
    .select(keyColumns)
    .where('id', 'in', leadIds)
    .where('erased_at', 'is', null)
    .execute()
  const keys = leads.flatMap((lead) => [lead.same_enquiry_hash, dedupeKeyOfRow(lead)])
  if (keys.length === 0) return
  const held = await store
    .selectFrom('enquirers')
    .select('same_enquiry_hash')
    .where('same_enquiry_hash', 'in', [...new Set(keys)])
    .where('lead_id', 'in', leadIds)
    .orderBy('same_enquiry_hash')
    .$if(locking === 'rows', (query) => query.forUpdate())
    .execute()
  if (held.length === 0) return
  await store
    .deleteFrom('enquirers')
    .where(
      'same_enquiry_hash',
      'in',
      held.map(({ same_enquiry_hash }) => same_enquiry_hash),
    )
    .execute()
}
