import { sql, type Transaction } from 'kysely'
import { type Area, areaPath } from '#domain/area.ts'
import type { ErasedBy } from '#domain/lead/lead.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { freeDedupeKeys } from './dedupe-keys.ts'
import { removeUnusedGroups } from './error-groups.ts'
import { serializeErasedPayload } from './lead-payload.ts'

type Store = Transaction<StoreTables>

export interface ErasableLead {
  readonly id: string
  readonly area: Area
  readonly payload: string
}

/**
 * Removes the identifying data from leads and their deliveries. The idempotency key of a correction contains a hash of
 * the answers, so it is replaced by a key that no visitor can send. Duplicates and corrections stay linked; consents are
 * not changed.
 */
export async function eraseLeads(
  store: Store,
  leads: readonly ErasableLead[],
  { by, now }: { readonly by: ErasedBy; readonly now: number },
): Promise<void> {
  if (leads.length === 0) return
  const ids = leads.map(({ id }) => id)
  // Dedupe keys are computed from the data that is erased below, so they must go first.
  await freeDedupeKeys(store, ids)
  const rows = leads.map(({ id, payload }) => sql`(${id}, ${serializeErasedPayload(payload)})`)
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
  // The distributor's response may quote the lead.
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
 * Reduces a consent to its text, its time and the URL of the area's page. The full URL could contain personal data,
 * because anyone can put anything into the path of a link.
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
