import type { Transaction } from 'kysely'
import { leadKeySecret } from '#server/platform/database/shared-secret.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { orUnreadable, readPayload } from '../../store/lead-payload.ts'
import { groupOf } from './group-of.ts'
import { keepGroups } from './keep-groups.ts'

/**
 * Puts those of the leads whose last attempt failed into the group of their error, in the transaction that records the
 * attempts. Their index rows have the error already: triggers write it.
 */
export async function groupErrors(
  store: Transaction<StoreTables>,
  leadIds: readonly string[],
): Promise<void> {
  if (leadIds.length === 0) return
  const failed = await store
    .selectFrom('lead_index')
    .innerJoin('leads', 'leads.id', 'lead_index.lead_id')
    .innerJoin('deliveries', 'deliveries.lead_id', 'lead_index.lead_id')
    .select(['lead_index.lead_id', 'lead_index.error', 'leads.payload'])
    .select((eb) =>
      eb
        .selectFrom('attempts')
        .select('detail')
        .whereRef('delivery_id', '=', 'deliveries.id')
        .orderBy('started_at', 'desc')
        .orderBy('attempts.id', 'desc')
        .limit(1)
        .as('said'),
    )
    .where('lead_index.lead_id', 'in', leadIds)
    .where('lead_index.error', 'is not', null)
    .execute()
  if (failed.length === 0) return
  const secret = await leadKeySecret(store)
  const groups = failed.flatMap(({ lead_id, error, said, payload }) => {
    if (error === null) return []
    const lead = orUnreadable(
      () => readPayload(payload),
      () => undefined,
    )
    return [{ lead_id, group: groupOf({ error, said, lead }, secret) }]
  })
  const kept = await keepGroups(
    store,
    groups.map(({ group }) => group),
  )
  const byGroup = Map.groupBy(groups, ({ group }) => kept.get(group.id) ?? group.id)
  for (const [error_group, leads] of byGroup) {
    const ids = leads.map(({ lead_id }) => lead_id)
    await store.updateTable('lead_index').set({ error_group }).where('lead_id', 'in', ids).execute()
  }
}
