import { type Kysely, sql, type Transaction } from 'kysely'
import type { EmailAddress, ErasedPerson, PersonErasure } from '#server/use-cases/erase-person.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'
import { erasedPayloadOf } from './lead-row.ts'

type Store = Transaction<StoreTables>

/** @param wipe removes what the store's files still hold of deleted content */
export function makePersonErasure(
  db: Kysely<StoreTables>,
  wipe: () => Promise<ErasedPerson['bytes']>,
): PersonErasure {
  return {
    count: (address) => retryConflicts(async () => (await findLeads(db, address)).length),
    erase: async (address, now) => {
      const erased = await retryConflicts(() => eraseLeads(db, address, now))
      return { ...erased, bytes: await wipe() }
    },
  }
}

/** Reads every lead: an index on the address would cost each enquiry something, and this is asked for rarely. */
const findLeads = (db: Kysely<StoreTables>, address: EmailAddress) =>
  db
    .selectFrom('leads')
    .select(['id', 'payload'])
    .where('erased_at', 'is', null)
    .where(sql<string>`lower(trim(email))`, '=', address)
    .execute()

/** One transaction: a person's leads are few. */
function eraseLeads(
  db: Kysely<StoreTables>,
  address: EmailAddress,
  now: number,
): Promise<Omit<ErasedPerson, 'bytes'>> {
  return db.transaction().execute(async (store) => {
    const leads = await findLeads(store, address)
    const counts = { leads: leads.length, stopped: 0, underWay: 0, delivered: 0 }
    for (const { id, payload } of leads) {
      // First, as it locks the delivery: no attempt is recorded from here on until the commit.
      const found = await settleOwed(store, id, now)
      await eraseLead(store, id, payload, now)
      if (found !== undefined) counts[found]++
    }
    return counts
  })
}

async function eraseLead(store: Store, id: string, payload: string, now: number): Promise<void> {
  await store
    .updateTable('leads')
    .set({ email: '', same_enquiry_hash: '', payload: erasedPayloadOf(payload), erased_at: now })
    .where('id', '=', id)
    .execute()
  await store
    .updateTable('consents')
    .set({ ip: '', user_agent: '' })
    .where('lead_id', '=', id)
    .execute()
  await store.deleteFrom('enquirers').where('lead_id', '=', id).execute()
  // The distributor's words may quote the lead.
  await store
    .updateTable('attempts')
    .set({ detail: null })
    .where('delivery_id', 'in', (eb) =>
      eb.selectFrom('deliveries').select('id').where('lead_id', '=', id),
    )
    .execute()
}

/** A worker that loses its lease here can still record that the lead was delivered, and nothing else. */
async function settleOwed(
  store: Store,
  leadId: string,
  now: number,
): Promise<'stopped' | 'underWay' | 'delivered' | undefined> {
  const delivery = await store
    .updateTable('deliveries')
    .set((eb) => ({ lead_id: eb.ref('lead_id') }))
    .where('lead_id', '=', leadId)
    .returning(['settled_as', 'leased_until'])
    .executeTakeFirst()
  if (delivery?.settled_as === 'delivered') return 'delivered'
  if (delivery === undefined || delivery.settled_as !== null) return undefined
  await store
    .updateTable('deliveries')
    .set({
      settled_as: 'erased',
      settled_at: now,
      lease: null,
      leased_until: null,
      waits_since: null,
    })
    .where('lead_id', '=', leadId)
    .execute()
  return (delivery.leased_until ?? 0) > now ? 'underWay' : 'stopped'
}
