import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { OwnError } from '#domain/own-error.ts'
import type { AcceptedLead, LeadArrival } from '#server/use-cases/accept-enquiry.ts'
import { claimDedupeKeys } from '../leads/dedupe-keys.ts'
import { payloadOf } from '../leads/lead-row.ts'
import type { StoreTables } from '../store-tables.ts'
import { asJson } from './as-json.ts'
import { LostLineError } from './lost-line-error.ts'
import { preparedStatement } from './prepared-statement.ts'
import type { WatchedPool } from './watched-pool.ts'

interface StoredRow {
  readonly idempotency_key: string
  readonly id: string
  readonly duplicate_of: string | null
}

/** What came of arrivals, by idempotency key. */
type Outcomes = ReadonlyMap<string, AcceptedLead>

const claimed = claimDedupeKeys(sql`
    select dedupe_key, id, received_at from fresh where quarantined_at is null order by dedupe_key`)

/**
 * Rows go in sorted: two processes that meet then wait in one order and do not deadlock.
 *
 * It reads no table that grows, so that the plan of an empty one does for ever.
 */
const storing = sql<StoredRow>`
  with fresh as (
    select * from json_to_recordset($1) as sent (
      id text, idempotency_key text, dedupe_key text, received_at bigint, area text, email text,
      payload text, signals text, quarantined_at bigint, disclosure_hash text, agreed_at bigint, ip text,
      user_agent text, page_url text, delivery_id text
    )
  ),
  claimed as (${claimed}),
  stored as (
    insert into leads (
      id, idempotency_key, same_enquiry_hash, received_at, area, email, payload, signals, quarantined_at,
      duplicate_of
    )
    select
      id, idempotency_key, dedupe_key, received_at, area, email, payload, signals, quarantined_at,
      nullif(claimed.lead_id, id)
    from fresh left join claimed on claimed.same_enquiry_hash = dedupe_key
    order by idempotency_key
    on conflict (idempotency_key) do nothing
    returning id, idempotency_key, duplicate_of
  ),
  said as (
    insert into disclosures (hash, text)
    select key, value from json_each_text($2) order by key
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
  select idempotency_key, id, duplicate_of from stored`

/**
 * Stores arrivals, each with consent and delivery, in one statement, and so in one transaction: it takes the server
 * half the time, and this process a third, of a statement for each table. No two may share an idempotency key or a
 * dedupe key.
 */
export function makeArrivalWriter(db: Kysely<StoreTables>, pool: Pick<WatchedPool, 'query'>) {
  const send = preparedStatement<StoredRow>(pool, storing.compile(db).sql)

  /**
   * As if no key were known: nothing is stored of those that are. So it can be sent once more where the line was lost,
   * whatever became of it, and nobody is turned away for that.
   */
  async function storeFresh(arrivals: readonly LeadArrival[]): Promise<Outcomes> {
    const words = new Map(arrivals.map(({ lead: { consent } }) => [consent.textHash, consent.text]))
    const values = [asJson(arrivals.map(rowOf)), asJson(Object.fromEntries(words))]
    const store = async () => outcomesOf(await send(values), 'stored')
    return store().catch(async (error: unknown) => {
      if (!(error instanceof LostLineError)) throw error
      return new Map([...(await store()), ...(await findOwn(arrivals))])
    })
  }

  /** What the try before has stored after all: ids are new with each arrival. */
  async function findOwn(arrivals: readonly LeadArrival[]): Promise<Outcomes> {
    const ids = new Set(arrivals.map(({ lead }) => lead.id))
    const own = [...(await known(arrivals))].filter(([, { id }]) => ids.has(id))
    return new Map(own.map(([key, accepted]) => [key, { ...accepted, repeated: false }]))
  }

  async function known(arrivals: readonly LeadArrival[]): Promise<Outcomes> {
    if (arrivals.length === 0) return new Map()
    const keys = arrivals.map(({ idempotencyKey }) => idempotencyKey)
    const rows = await db
      .selectFrom('leads')
      .select(['idempotency_key', 'id', 'duplicate_of'])
      .where('idempotency_key', 'in', keys)
      .execute()
    return outcomesOf(rows, 'repeated')
  }

  async function storeUnknown(arrivals: readonly LeadArrival[]): Promise<Outcomes> {
    const repeated = await known(arrivals)
    const fresh = arrivals.filter(({ idempotencyKey }) => !repeated.has(idempotencyKey))
    return new Map([...repeated, ...(fresh.length > 0 ? await storeFresh(fresh) : [])])
  }

  return async (arrivals: readonly LeadArrival[]): Promise<readonly AcceptedLead[]> => {
    // A dedupe key's row that speaks of a lead whose idempotency key was known breaks a foreign key: nothing was stored then.
    const stored = await storeFresh(arrivals).catch((error: unknown) => {
      if (isForeignKeyViolation(error)) return storeUnknown(arrivals)
      throw error
    })
    const missed = arrivals.filter(({ idempotencyKey }) => !stored.has(idempotencyKey))
    const repeated = await known(missed)
    return arrivals.map(({ idempotencyKey }) => {
      const accepted = stored.get(idempotencyKey) ?? repeated.get(idempotencyKey)
      if (accepted === undefined) throw new OwnError('PostgreSQL does not say what came of a lead.')
      return accepted
    })
  }
}

const outcomesOf = (rows: readonly StoredRow[], as: 'stored' | 'repeated'): Outcomes =>
  new Map(
    rows.map(({ idempotency_key, id, duplicate_of }) => [
      idempotency_key,
      { id, repeated: as === 'repeated', duplicateOf: duplicate_of },
    ]),
  )

function rowOf({ lead, idempotencyKey, dedupeKey, signals, isQuarantined }: LeadArrival) {
  const { id, receivedAt, area, email, consent } = lead
  return {
    id,
    idempotency_key: idempotencyKey,
    dedupe_key: dedupeKey,
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
