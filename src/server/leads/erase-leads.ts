import { sql, type Transaction } from 'kysely'
import { type Area, areaPath } from '#domain/area.ts'
import type { ErasedBy } from '#domain/lead/lead.ts'
import type { Locking } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { freeDedupeKeys } from './dedupe-keys.ts'
import { removeUnusedGroups } from './error-groups.ts'
import { erasedPayloadOf } from './lead-payload.ts'

type Store = Transaction<StoreTables>

export interface ErasableLead {
  readonly id: string
  readonly area: Area
  readonly payload: string
}

/**
 * Removes the identifying data from the leads and their deliveries; a correction's key, which
 * contains a hash of the answers, is replaced by one that no visitor could send. Repeats and
 * corrections stay linked. Their consents are not touched.
 */
export async function eraseLeads(
  store: Store,
  leads: readonly ErasableLead[],
  { by, now, locking }: { readonly by: ErasedBy; readonly now: number; readonly locking: Locking },
): Promise<void> {
  if (leads.length === 0) return
  const ids = leads.map(({ id }) => id)
  // First: the keys are computed from the data that is erased.
  await freeDedupeKeys(store, ids, locking)
  const rows = leads.map(({ id, payload }) => sql`(${id}, ${erasedPayloadOf(payload)})`)
  await sql`
    with erased (id, payload) as (values ${sql.join(rows)})
    update leads set
      email = '', same_enquiry_hash = '', payload = erased.payload,
      idempotency_key = case when corrects is null then idempotency_key else 'erased/' || leads.id end,
      erased_at = cast(${now} as bigint), erased_by = ${by}
    from erased where leads.id = erased.id`.execute(store)
  await store
    .updateTable('deliveries')
    .set({ lead_erased_at: now })
    .where('lead_id', 'in', ids)
    .execute()
  // The distributor's words may quote the lead.
  await store
    .updateTable('attempts')
    .set({ detail: null })
    .where('delivery_id', 'in', (eb) =>
      eb.selectFrom('deliveries').select('id').where('lead_id', 'in', ids),
    )
    .execute()
  await removeUnusedGroups(store)
}

/**
 * Leaves of a consent what was agreed to, when, and on which page of ours: a link that brought somebody here may have
 * had anything in its path, so the page is named by its area.
 */
export async function eraseConsent(store: Store, { id, area }: ErasableLead): Promise<void> {
  const consent = await store
    .selectFrom('consents')
    .select('page_url')
    .where('lead_id', '=', id)
    .executeTakeFirst()
  if (consent === undefined) return
  const page_url = URL.parse(areaPath(area), consent.page_url)?.href ?? ''
  await store
    .updateTable('consents')
    .set({ ip: '', user_agent: '', page_url })
    .where('lead_id', '=', id)
    .execute()
}
