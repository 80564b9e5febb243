import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Ending } from '#domain/delivery/delivery.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

export type EndedDelivery = Omit<Selectable<StoreTables['delivery_endings']>, 'owed_again_at'>

export const endedColumns = [
  'deliveries.id as delivery_id',
  'deliveries.settled_as',
  'deliveries.settled_at',
  'deliveries.settled_by_hand_at',
] as const

type EndedColumns = {
  readonly [Name in 'settled_as' | 'settled_at' | 'settled_by_hand_at']:
    | Selectable<StoreTables['deliveries']>[Name]
    | null
} & { readonly delivery_id: string | null }

/** Undefined where it has not ended. */
export function endedOf(row: EndedColumns): EndedDelivery | undefined {
  const { delivery_id, settled_as, settled_at, settled_by_hand_at } = row
  if (delivery_id === null || settled_as === null || settled_at === null) return undefined
  const is_by_hand = settled_by_hand_at === settled_at ? 1 : 0
  return { delivery_id, settled_as, settled_at, is_by_hand }
}

/** In the transaction that reopens them: their rows no longer show the end. */
export async function recordEndings(
  store: Transaction<StoreTables>,
  ended: readonly EndedDelivery[],
  now: number,
): Promise<void> {
  if (ended.length === 0) return
  await store
    .insertInto('delivery_endings')
    .values(ended.map((row) => ({ ...row, owed_again_at: now })))
    // Two periods within a millisecond count as one.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The first first. */
export async function findEndings(
  db: Kysely<StoreTables>,
  deliveryId: string,
): Promise<readonly Ending[]> {
  const rows = await db
    .selectFrom('delivery_endings')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('owed_again_at')
    .execute()
  return rows.map((row) => ({
    settledAs: row.settled_as,
    settledAt: row.settled_at,
    isByHand: row.is_by_hand === 1,
    owedAgainAt: row.owed_again_at,
  }))
}
