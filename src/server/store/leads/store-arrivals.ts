import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { AcceptedLead, LeadArrival } from '#server/use-cases/accept-enquiry.ts'
import type { StoreTables } from '../store-tables.ts'
import { payloadOf } from './lead-row.ts'

type Store = Transaction<StoreTables>

/**
 * Stores arrivals, each with consent and delivery, in one transaction. No two may share an idempotency key or a
 * same-enquiry hash. Rows go in sorted by key: two processes that meet then wait in one order and do not deadlock.
 */
export async function storeArrivals(
  db: Kysely<StoreTables>,
  arrivals: readonly LeadArrival[],
): Promise<readonly AcceptedLead[]> {
  return db.transaction().execute(async (store) => {
    const fresh = await insertLeads(store, arrivals)
    const known = await findKnown(store, arrivals, fresh)
    const added = arrivals.filter(({ idempotencyKey }) => fresh.has(idempotencyKey))
    const duplicates = added.length > 0 ? await storeAdded(store, added) : new Map()
    return arrivals.map(
      ({ lead, idempotencyKey }) =>
        known.get(idempotencyKey) ?? {
          id: lead.id,
          repeated: false,
          duplicateOf: duplicates.get(lead.id) ?? null,
        },
    )
  })
}

/** Resolves with the idempotency keys that were new. */
async function insertLeads(
  store: Store,
  arrivals: readonly LeadArrival[],
): Promise<ReadonlySet<string>> {
  const rows = await store
    .insertInto('leads')
    .values(
      sortedBy(arrivals, ({ idempotencyKey }) => idempotencyKey).map((arrival) => ({
        id: arrival.lead.id,
        idempotency_key: arrival.idempotencyKey,
        same_enquiry_hash: arrival.sameEnquiryHash,
        received_at: arrival.lead.receivedAt,
        area: arrival.lead.area,
        email: arrival.lead.email,
        payload: payloadOf(arrival.lead),
        ...quarantineColumns(arrival),
      })),
    )
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning('idempotency_key')
    .execute()
  return new Set(rows.map((row) => row.idempotency_key))
}

/** Absent for nearly every lead, so that the statement carries no more than it needs. */
function quarantineColumns({ lead, signals, isQuarantined }: LeadArrival) {
  if (signals.length === 0) return {}
  return {
    signals: JSON.stringify(signals),
    quarantined_at: isQuarantined ? lead.receivedAt : null,
  }
}

async function findKnown(
  store: Store,
  arrivals: readonly LeadArrival[],
  fresh: ReadonlySet<string>,
): Promise<ReadonlyMap<string, AcceptedLead>> {
  const keys = arrivals.map(({ idempotencyKey }) => idempotencyKey).filter((key) => !fresh.has(key))
  if (keys.length === 0) return new Map()
  const rows = await store
    .selectFrom('leads')
    .select(['id', 'idempotency_key', 'duplicate_of'])
    .where('idempotency_key', 'in', keys)
    .execute()
  return new Map(
    rows.map((row) => [
      row.idempotency_key,
      { id: row.id, repeated: true, duplicateOf: row.duplicate_of },
    ]),
  )
}

/** Resolves with the duplicates among them: the lead's id and that of the lead it repeats. */
async function storeAdded(
  store: Store,
  added: readonly LeadArrival[],
): Promise<ReadonlyMap<string, string>> {
  await insertConsents(store, added)
  return oweDeliveries(
    store,
    added.filter(({ isQuarantined }) => !isQuarantined),
  )
}

/** What of an arrival decides about its delivery. */
type Owing = Pick<LeadArrival, 'sameEnquiryHash' | 'duplicateSince'> & {
  readonly lead: Pick<LeadArrival['lead'], 'id' | 'receivedAt'>
}

/**
 * Gives each its delivery, or finds whom it repeats.
 * @param added no two of the same enquiry
 * @returns the duplicates among them: the lead's id and that of the lead it repeats
 */
export async function oweDeliveries(
  store: Store,
  added: readonly Owing[],
): Promise<ReadonlyMap<string, string>> {
  if (added.length === 0) return new Map()
  const duplicates = await findDuplicates(store, added)
  for (const [id, duplicate_of] of duplicates) {
    await store.updateTable('leads').set({ duplicate_of }).where('id', '=', id).execute()
  }
  const owing = added.filter(({ lead }) => !duplicates.has(lead.id))
  if (owing.length > 0) {
    await store
      .insertInto('deliveries')
      .values(
        owing.map(({ lead }) => ({
          id: randomUUIDv7(),
          lead_id: lead.id,
          created_at: lead.receivedAt,
          next_at: lead.receivedAt,
        })),
      )
      .execute()
  }
  return duplicates
}

async function insertConsents(store: Store, added: readonly LeadArrival[]): Promise<void> {
  const texts = new Map(added.map(({ lead }) => [lead.consent.textHash, lead.consent.text]))
  await store
    .insertInto('disclosures')
    .values(sortedBy([...texts], ([hash]) => hash).map(([hash, text]) => ({ hash, text })))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
  await store
    .insertInto('consents')
    .values(
      added.map(({ lead: { id, consent } }) => ({
        lead_id: id,
        disclosure_hash: consent.textHash,
        agreed_at: consent.at,
        ip: consent.ip,
        user_agent: consent.userAgent,
        page_url: consent.pageUrl,
      })),
    )
    .execute()
}

/**
 * Ruling 18. The update of a known row changes nothing: it locks the row until the commit, so that of several arrivals
 * at once each sees who came first, and one alone takes over from a lead that is too old.
 */
async function findDuplicates(
  store: Store,
  added: readonly Owing[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await store
    .insertInto('enquirers')
    .values(
      sortedBy(added, ({ sameEnquiryHash }) => sameEnquiryHash).map((arrival) => ({
        same_enquiry_hash: arrival.sameEnquiryHash,
        lead_id: arrival.lead.id,
        received_at: arrival.lead.receivedAt,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('same_enquiry_hash')
        .doUpdateSet((eb) => ({ lead_id: eb.ref('enquirers.lead_id') })),
    )
    .returning(['same_enquiry_hash', 'lead_id', 'received_at'])
    .execute()
  const owners = new Map(rows.map((row) => [row.same_enquiry_hash, row]))
  const duplicates = new Map<string, string>()
  for (const { lead, sameEnquiryHash, duplicateSince } of added) {
    const owner = owners.get(sameEnquiryHash)
    if (owner === undefined || owner.lead_id === lead.id) continue
    if (owner.received_at > duplicateSince) {
      duplicates.set(lead.id, owner.lead_id)
      continue
    }
    await store
      .updateTable('enquirers')
      .set({ lead_id: lead.id, received_at: lead.receivedAt })
      .where('same_enquiry_hash', '=', sameEnquiryHash)
      .execute()
  }
  return duplicates
}

function sortedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
