import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'
import type { AcceptedLead, LeadArrival } from '#server/use-cases/accept-enquiry.ts'
import { payloadOf } from '../leads/lead-row.ts'
import type { StoreTables } from '../store-tables.ts'
import { asJson } from './as-json.ts'

/**
 * Stores arrivals, each with consent and delivery, in one statement, and so in one transaction: it takes the server
 * half the time, and this process a third, of a statement for each table. No two may share an idempotency key or a
 * same-enquiry hash.
 *
 * Another process may have a key or an enquiry of these under way. The statement waits for that one's end, and then
 * either stores nothing of such an arrival, which is asked for again, or fails at a foreign key, as a row of it speaks
 * of a lead that was not stored: then nothing was stored, and all are sent again.
 */
export async function storeArrivals(
  db: Kysely<StoreTables>,
  arrivals: readonly LeadArrival[],
): Promise<readonly AcceptedLead[]> {
  const stored = await storeOnce(db, arrivals).catch((error: unknown) => {
    if (isForeignKeyViolation(error)) return storeOnce(db, arrivals)
    throw error
  })
  const missed = arrivals.filter(({ idempotencyKey }) => !stored.has(idempotencyKey))
  const known = missed.length > 0 ? await storeOnce(db, missed) : stored
  return arrivals.map(({ idempotencyKey }) => {
    const accepted = stored.get(idempotencyKey) ?? known.get(idempotencyKey)
    if (accepted === undefined) throw new Error('PostgreSQL does not say what came of a lead.')
    return accepted
  })
}

interface StoredRow {
  readonly idempotency_key: string
  readonly id: string
  readonly duplicate_of: string | null
  readonly repeated: boolean
}

/**
 * Rows go in sorted: two processes that meet then wait in one order and do not deadlock. The update of an enquirer
 * that stays as it was locks the row until the commit, so that of several arrivals at once each sees who came first.
 *
 * @returns what came of each, by idempotency key
 */
async function storeOnce(
  db: Kysely<StoreTables>,
  arrivals: readonly LeadArrival[],
): Promise<ReadonlyMap<string, AcceptedLead>> {
  const words = new Map(arrivals.map(({ lead: { consent } }) => [consent.textHash, consent.text]))
  const isTooOld = sql`enquirers.received_at <= excluded.received_at - ${sql.lit(duplicateWindowMs)}`
  const { rows } = await sql<StoredRow>`
    with sent as (
      select * from json_to_recordset(${asJson(arrivals.map(rowOf))}) as sent (
        id text, idempotency_key text, same_enquiry_hash text, received_at bigint, area text, email text,
        payload text, signals text, quarantined_at bigint, disclosure_hash text, agreed_at bigint, ip text,
        user_agent text, page_url text, delivery_id text
      )
    ),
    known as (
      select leads.idempotency_key, leads.id, leads.duplicate_of
      from leads join sent on sent.idempotency_key = leads.idempotency_key
    ),
    fresh as (
      select * from sent
      where not exists (select from known where known.idempotency_key = sent.idempotency_key)
    ),
    owners as (
      insert into enquirers (same_enquiry_hash, lead_id, received_at)
      select same_enquiry_hash, id, received_at from fresh
      where quarantined_at is null order by same_enquiry_hash
      on conflict (same_enquiry_hash) do update set
        lead_id = case when ${isTooOld} then excluded.lead_id else enquirers.lead_id end,
        received_at = case when ${isTooOld} then excluded.received_at else enquirers.received_at end
      returning same_enquiry_hash, lead_id
    ),
    stored as (
      insert into leads (
        id, idempotency_key, same_enquiry_hash, received_at, area, email, payload, signals, quarantined_at,
        duplicate_of
      )
      select
        id, idempotency_key, fresh.same_enquiry_hash, received_at, area, email, payload, signals, quarantined_at,
        nullif(owners.lead_id, id)
      from fresh left join owners on owners.same_enquiry_hash = fresh.same_enquiry_hash
      order by idempotency_key
      on conflict (idempotency_key) do nothing
      returning id, idempotency_key, duplicate_of
    ),
    said as (
      insert into disclosures (hash, text)
      select key, value from json_each_text(${asJson(Object.fromEntries(words))}) order by key
      on conflict (hash) do nothing
    ),
    agreed as (
      insert into consents (lead_id, disclosure_hash, agreed_at, ip, user_agent, page_url)
      select id, disclosure_hash, agreed_at, ip, user_agent, page_url from fresh
      where id in (select id from stored)
    ),
    owed as (
      insert into deliveries (id, lead_id, created_at, next_at)
      select delivery_id, id, received_at, received_at from fresh
      where quarantined_at is null and id in (select id from stored where duplicate_of is null)
    )
    select idempotency_key, id, duplicate_of, false as repeated from stored
    union all
    select idempotency_key, id, duplicate_of, true from known`.execute(db)
  return new Map(
    rows.map(({ idempotency_key, id, repeated, duplicate_of }) => [
      idempotency_key,
      { id, repeated, duplicateOf: duplicate_of },
    ]),
  )
}

function rowOf({ lead, idempotencyKey, sameEnquiryHash, signals, isQuarantined }: LeadArrival) {
  const { id, receivedAt, area, email, consent } = lead
  return {
    id,
    idempotency_key: idempotencyKey,
    same_enquiry_hash: sameEnquiryHash,
    received_at: receivedAt,
    area,
    email,
    payload: payloadOf(lead),
    signals: signals.length === 0 ? null : JSON.stringify(signals),
    quarantined_at: isQuarantined ? receivedAt : null,
    disclosure_hash: consent.textHash,
    agreed_at: consent.at,
    ip: consent.ip,
    user_agent: consent.userAgent,
    page_url: consent.pageUrl,
    delivery_id: randomUUIDv7(),
  }
}

const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503'
