import { hash, randomUUIDv7 } from 'node:crypto'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { AbuseSignal } from '#domain/abuse/signals.ts'
import { toReference } from '#domain/lead/reference.ts'
import { serializeContent } from '#domain/lead/stored-answers.ts'
import { LoggableError } from '#domain/loggable-error.ts'
import { claimDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { readListSecret } from '#server/leads/do-not-contact.ts'
import { enqueueNotifications } from '#server/leads/enqueue-notifications.ts'
import {
  insertIndexRows,
  markDuplicatesInIndex,
  removeIndexRows,
} from '#server/leads/lead-index-rows.ts'
import { readPayload, serializePayload } from '#server/leads/lead-payload.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import { readSearchKeySecret } from '#server/platform/database/shared-secret.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import type { LeadArrival } from './lead-arrival.ts'
import {
  addSignalOfCorrected,
  addStoredSignals,
  type CheckedArrival,
  notifyOfStops,
} from './stored-signals.ts'

type Tx = Transaction<StoreTables>

export interface StoreResult {
  /**
   * The stored lead's id, which differs from the arrival's if another lead had its reference; for a repeated enquiry under
   * the same idempotency key, the earlier lead's id.
   */
  readonly id: string
  /** True if the same enquiry was stored before under the same idempotency key, so nothing new was stored. */
  readonly repeated: boolean
  /** The id of the earlier lead that the new lead duplicates, or null. A duplicate has no delivery. */
  readonly duplicateOf: string | null
  /** The first lead's id under the same idempotency key, if its content differs from the new lead's; otherwise null. */
  readonly corrects: string | null
  /** The signals that only the store could find, if there are any; the lead is then quarantined. */
  readonly found?: readonly AbuseSignal[]
}

interface StorableArrival extends CheckedArrival {
  /** The id of the first lead under the idempotency key, if the visitor has changed the enquiry since. */
  readonly corrects?: string
}

/**
 * Stores leads with their consents and deliveries in one transaction. No two of the given leads may share an
 * idempotency key or a dedupe key. A second run after a lost reply stores nothing twice.
 */
export const storeArrivals: DatabaseTask<readonly LeadArrival[], readonly StoreResult[]> = {
  name: 'storeArrivals',
  run: async (db, arrivals) => {
    const secret = await readSearchKeySecret(db)
    const listSecret = await readListSecret(db)
    return db.transaction().execute(async (tx) => {
      const checked = await addStoredSignals(tx, arrivals, listSecret)
      const { inserted, repeated } = await insertLeads(tx, checked, { secret, listSecret })
      await insertConsents(tx, inserted)
      const holders = await createDeliveries(tx, inserted)
      await notifyOfStops(tx, inserted)
      const newResults = inserted.map((arrival) => toStoreResult(arrival, holders))
      await notifyReceived(tx, inserted, new Map(newResults))
      const outcomes = new Map([...repeated, ...newResults])
      return arrivals.map(({ dedupeKey }) => outcomes.get(dedupeKey) as StoreResult)
    })
  },
}

/** Tells the webhooks that want to know. The reason says why a lead has no delivery. */
const notifyReceived = (
  tx: Tx,
  arrivals: readonly StorableArrival[],
  results: ReadonlyMap<string, StoreResult>,
): Promise<void> =>
  enqueueNotifications(tx, {
    event: 'received',
    leadIds: arrivals.map(({ lead }) => lead.id),
    at: Math.max(...arrivals.map(({ lead }) => lead.receivedAt)),
    reasons: new Map(
      arrivals.map(({ lead, dedupeKey, isQuarantined }) => {
        const isDuplicate = (results.get(dedupeKey)?.duplicateOf ?? null) !== null
        return [lead.id, isQuarantined ? 'quarantined' : isDuplicate ? 'duplicate' : null]
      }),
    ),
  })

function toStoreResult(
  arrival: StorableArrival,
  holders: ReadonlyMap<string, string>,
): [string, StoreResult] {
  const { dedupeKey, lead } = arrival
  const { id } = lead
  const holder = holders.get(dedupeKey) ?? id
  const duplicateOf = arrival.isQuarantined || holder === id ? null : holder
  const { corrects = null, found } = arrival
  return [dedupeKey, { id, repeated: false, duplicateOf, corrects, ...(found && { found }) }]
}

/**
 * Inserts leads. A second round stores a lead as a correction if its idempotency key is stored with other content, and
 * under another id if its reference is taken.
 * @returns the inserted leads, and the results of repeated leads by their dedupe keys
 */
async function insertLeads(
  tx: Tx,
  arrivals: readonly LeadArrival[],
  { secret, listSecret }: { readonly secret: string; readonly listSecret: string },
) {
  const inserted: StorableArrival[] = []
  const repeated = new Map<string, StoreResult>()
  let rounds = 0
  for (let waiting: readonly StorableArrival[] = arrivals; waiting.length > 0; ) {
    if (++rounds > maxRounds)
      throw new LoggableError('The database did not report whether a lead is stored.')
    const stored = await insertNewLeads(tx, waiting, secret)
    inserted.push(...waiting.filter(({ lead }) => stored.has(lead.id)))
    const known = waiting.filter(({ lead }) => !stored.has(lead.id))
    const holders = await findEarlierLeads(tx, known)
    const next: StorableArrival[] = []
    for (const arrival of known) {
      const holder = holders.get(arrival.idempotencyKey)
      const resolved = holder ? resolveIdempotencyConflict(arrival, holder) : withNewId(arrival)
      if ('lead' in resolved) next.push(await addSignalOfCorrected(tx, resolved, listSecret))
      else repeated.set(arrival.dedupeKey, resolved)
    }
    waiting = next
  }
  return { inserted, repeated }
}

/** One round for a correction, and some for references: with ten million leads, one in 7,000 is taken. */
const maxRounds = 6

const withNewId = (arrival: StorableArrival): StorableArrival => ({
  ...arrival,
  lead: { ...arrival.lead, id: makeIdAt(arrival.lead.receivedAt) },
})

/**
 * Inserts leads, in a fixed order to prevent deadlocks. A lead whose idempotency key or reference another lead has is
 * left out.
 * @returns the ids of the inserted leads
 */
async function insertNewLeads(
  tx: Tx,
  arrivals: readonly StorableArrival[],
  secret: string,
): Promise<ReadonlySet<string>> {
  const indexed = await insertIndexRows(tx, arrivals, secret)
  const rows = await tx
    .insertInto('leads')
    .values(arrivals.toSorted(compareBy(({ idempotencyKey }) => idempotencyKey)).map(toLeadRow))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  const stored = new Set(rows.map(({ id }) => id))
  await removeIndexRows(
    tx,
    indexed.filter((id) => !stored.has(id)),
  )
  return stored
}

const compareBy =
  <Item>(keyOf: (item: Item) => string) =>
  (a: Item, b: Item): number =>
    keyOf(a) < keyOf(b) ? -1 : 1

function toLeadRow(arrival: StorableArrival) {
  const { lead, idempotencyKey, dedupeKey, signals, isQuarantined } = arrival
  return {
    id: lead.id,
    idempotency_key: idempotencyKey,
    same_enquiry_hash: dedupeKey,
    received_at: lead.receivedAt,
    area: lead.area,
    email: lead.email,
    payload: serializePayload(lead),
    signals: signals.length === 0 ? null : JSON.stringify(signals),
    quarantined_at: isQuarantined ? lead.receivedAt : null,
    corrects: arrival.corrects ?? null,
    reference: toReference(lead.id),
  }
}

async function insertConsents(tx: Tx, arrivals: readonly LeadArrival[]): Promise<void> {
  if (arrivals.length === 0) return
  const texts = new Map(arrivals.map(({ lead: { consent } }) => [consent.textHash, consent.text]))
  await tx
    .insertInto('disclosures')
    .values(
      [...texts].toSorted(compareBy(([key]) => key)).map(([key, text]) => ({ hash: key, text })),
    )
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
  await tx
    .insertInto('consents')
    .values(
      arrivals.map(({ lead: { id, consent } }) => ({
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

/** Creates deliveries and links duplicates. @returns for each dedupe key, the id of the lead that is no duplicate */
async function createDeliveries(
  tx: Tx,
  arrivals: readonly LeadArrival[],
): Promise<ReadonlyMap<string, string>> {
  const notQuarantined = arrivals.filter(({ isQuarantined }) => !isQuarantined)
  if (notQuarantined.length === 0) return new Map()
  const holders = await claimDedupeKeys(
    tx,
    notQuarantined.map(({ lead, dedupeKey }) => ({
      id: lead.id,
      received_at: lead.receivedAt,
      same_enquiry_hash: dedupeKey,
    })),
  )
  const isFirst = ({ dedupeKey, lead }: LeadArrival) => holders.get(dedupeKey) === lead.id
  const repeats = notQuarantined.filter((arrival) => !isFirst(arrival))
  if (repeats.length > 0) {
    const duplicates = repeats.map(
      ({ dedupeKey, lead }) => sql`(${lead.id}, ${holders.get(dedupeKey)})`,
    )
    await sql`
      with duplicates (id, of) as (values ${sql.join(duplicates)})
      update leads set duplicate_of = duplicates.of from duplicates where leads.id = duplicates.id`.execute(
      tx,
    )
    await markDuplicatesInIndex(
      tx,
      repeats.map(({ lead }) => lead.id),
    )
  }
  const deliveries = notQuarantined.filter(isFirst).map(({ lead: { id, receivedAt } }) => ({
    id: randomUUIDv7(),
    lead_id: id,
    created_at: receivedAt,
    next_at: receivedAt,
  }))
  if (deliveries.length > 0) await tx.insertInto('deliveries').values(deliveries).execute()
  return holders
}

export type EarlierLead = Selectable<StoreTables['leads']>

async function findEarlierLeads(
  tx: Tx,
  arrivals: readonly LeadArrival[],
): Promise<ReadonlyMap<string, EarlierLead>> {
  if (arrivals.length === 0) return new Map()
  const keys = arrivals.map(({ idempotencyKey }) => idempotencyKey)
  const rows = await tx
    .selectFrom('leads')
    .selectAll()
    .where('idempotency_key', 'in', keys)
    .execute()
  return new Map(rows.map((row) => [row.idempotency_key, row]))
}

/**
 * Handles a new lead whose idempotency key is already stored. With equal content, the new lead is a repeat; otherwise
 * it is a correction, stored under a key made of the idempotency key and the content. The function compares the
 * contents themselves, because a stored hash would let someone guess an erased lead.
 * @returns the result of a repeat, or the correction to store
 */
export function resolveIdempotencyConflict(
  arrival: StorableArrival,
  known: EarlierLead,
): StoreResult | StorableArrival {
  if (arrival.corrects !== undefined || isSameContent(arrival, known)) {
    const { id, duplicate_of, corrects } = known
    // If the first try of this call stored the lead, the visitor has had no answer yet, so the lead counts as new.
    const repeated = id !== arrival.lead.id
    return { id, repeated, duplicateOf: duplicate_of, corrects }
  }
  const idempotencyKey = `${arrival.idempotencyKey}/${hash('sha256', serializeContent(arrival.lead))}`
  return { ...arrival, idempotencyKey, corrects: known.id }
}

/** A stored lead that is erased or unreadable cannot be compared, so the new lead counts as different. */
function isSameContent({ lead }: LeadArrival, { area, email, payload, erased_at }: EarlierLead) {
  const answers = erased_at === null ? readPayload(payload).answers : undefined
  return (
    answers !== undefined &&
    serializeContent({ area, email, ...answers }) === serializeContent(lead)
  )
}
