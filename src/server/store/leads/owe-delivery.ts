import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'
import type { StoreTables } from '../store-tables.ts'

type Store = Transaction<StoreTables>

interface Owing {
  readonly id: string
  readonly receivedAt: number
  readonly sameEnquiryHash: string
}

/**
 * Gives a stored lead its delivery, or finds the lead that it repeats (ruling 18).
 * @returns the id of the one that it repeats; null where it is owed
 */
export async function oweDelivery(store: Store, lead: Owing): Promise<string | null> {
  const { id, receivedAt } = lead
  const duplicateOf = await becomeOwner(store, lead)
  if (duplicateOf !== null) {
    await store
      .updateTable('leads')
      .set({ duplicate_of: duplicateOf })
      .where('id', '=', id)
      .execute()
    return duplicateOf
  }
  await store
    .insertInto('deliveries')
    .values({ id: randomUUIDv7(), lead_id: id, created_at: receivedAt, next_at: receivedAt })
    .execute()
  return null
}

/** The row of whoever was first is locked until the commit, whether it is changed or not. */
async function becomeOwner(
  store: Store,
  { id, receivedAt, sameEnquiryHash }: Owing,
): Promise<string | null> {
  const became = await store
    .insertInto('enquirers')
    .values({ same_enquiry_hash: sameEnquiryHash, lead_id: id, received_at: receivedAt })
    .onConflict((conflict) =>
      conflict
        .column('same_enquiry_hash')
        .doUpdateSet({ lead_id: id, received_at: receivedAt })
        .where('enquirers.received_at', '<=', receivedAt - duplicateWindowMs),
    )
    .returning('lead_id')
    .executeTakeFirst()
  if (became !== undefined) return null
  const owner = await store
    .selectFrom('enquirers')
    .select('lead_id')
    .where('same_enquiry_hash', '=', sameEnquiryHash)
    .executeTakeFirstOrThrow()
  return owner.lead_id
}
