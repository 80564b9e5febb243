import type { Kysely, Selectable } from 'kysely'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { createDeliveryUnlessDuplicate } from './create-delivery-unless-duplicate.ts'
import { dedupeKeyOfRow, keyColumns } from './dedupe-key-of-row.ts'
import { freeDedupeKeys } from './free-dedupe-keys.ts'

type Store = Kysely<StoreTables>
type Repeating = Pick<
  Selectable<StoreTables['leads']>,
  'id' | 'received_at' | 'duplicate_of' | (typeof keyColumns)[number]
>

/**
 * Leads that the distributor has not taken and will not be asked about again hold nobody: whoever enquires next counts,
 * and of those who have meanwhile the first one owes its delivery now. Belongs in the transaction that settles them.
 */
export async function passDedupeKeysOn(
  store: Store,
  leadIds: readonly string[],
  locking: Locking,
): Promise<void> {
  if (leadIds.length === 0) return
  // First, as it waits for who repeats one of them at this moment.
  await freeDedupeKeys(store, leadIds, locking)
  const repeating = await store
    .selectFrom('leads')
    .select(['id', 'received_at', 'duplicate_of', ...keyColumns])
    .where('duplicate_of', 'in', leadIds)
    .where('erased_at', 'is', null)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  for (const [holder, leads] of Map.groupBy(repeating, ({ duplicate_of }) => duplicate_of)) {
    if (holder !== null) await passOn(store, holder, leads)
  }
}

/** The others repeat from now on whoever counts then: it may be somebody who has come after all of them. */
async function passOn(store: Store, holder: string, leads: readonly Repeating[]): Promise<void> {
  for (const lead of leads) {
    if (!(await unlink(store, lead))) continue
    const { id, received_at: receivedAt } = lead
    const dedupeKey = dedupeKeyOfRow(lead)
    const counting = await createDeliveryUnlessDuplicate(store, { id, receivedAt, dedupeKey })
    await store
      .updateTable('leads')
      .set({ duplicate_of: counting ?? id })
      .where('duplicate_of', '=', holder)
      .where('erased_at', 'is', null)
      .execute()
    return
  }
}

/** False: it was erased meanwhile. */
async function unlink(store: Store, { id, duplicate_of }: Repeating): Promise<boolean> {
  const { numUpdatedRows } = await store
    .updateTable('leads')
    .set({ duplicate_of: null })
    .where('id', '=', id)
    .where('duplicate_of', '=', duplicate_of)
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
