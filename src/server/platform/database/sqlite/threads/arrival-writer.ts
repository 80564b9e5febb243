import { randomUUIDv7 } from 'node:crypto'
import type { DatabaseSync, SQLTagStore, StatementSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import type { AcceptedLead, LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import {
  correctsOf,
  type KnownLead,
  resolveIdempotencyConflict,
  type StorableArrival,
} from '#server/enquiries/store/known-key.ts'
import { claimDedupeKeys } from '#server/leads/dedupe-keys/dedupe-keys.ts'
import { payloadOf } from '#server/leads/store/lead-payload.ts'
import type { StoreTables } from '../../tables/store-tables.ts'

/**
 * Stores arrivals, each with consent and delivery, in one transaction, by prepared statements, a row each: through the
 * query builder, many rows to a statement, a lead took 1.5 times as long.
 */
export class ArrivalWriter {
  readonly #database: DatabaseSync
  readonly #sql: SQLTagStore
  readonly #claiming: string
  #claim: StatementSync | undefined

  constructor(database: DatabaseSync, db: Kysely<StoreTables>) {
    this.#database = database
    this.#sql = database.createTagStore()
    this.#claiming = claimDedupeKeys(sql`values (?, ?, ?)`).compile(db).sql
  }

  storeArrivals(arrivals: readonly LeadArrival[]): readonly AcceptedLead[] {
    // A plain `begin` would fail at once where another process has written meanwhile: see sqlite-dialect.ts.
    this.#database.exec('begin immediate')
    try {
      const accepted = arrivals.map((arrival) => this.#storeArrival(arrival))
      this.#database.exec('commit')
      return accepted
    } catch (error) {
      // SQLite rolls back by itself on a full disk; a second rollback would fail and hide that error.
      if (this.#database.isTransaction) this.#database.exec('rollback')
      throw error
    }
  }

  #storeArrival(arrival: StorableArrival): AcceptedLead {
    if (!this.#insertLead(arrival)) return this.#resolveIdempotencyConflict(arrival)
    this.#insertConsent(arrival)
    const { lead, isQuarantined } = arrival
    const duplicateOf = isQuarantined ? null : this.#createDeliveryUnlessDuplicate(arrival)
    return { id: lead.id, repeated: false, duplicateOf, corrects: correctsOf(arrival) }
  }

  /** False: its idempotency key is known. */
  #insertLead(arrival: StorableArrival): boolean {
    const { lead, idempotencyKey, dedupeKey, signals, isQuarantined } = arrival
    const { id, receivedAt, area, email } = lead
    const { changes } = this.#sql.run`
      insert into leads (
        id, idempotency_key, same_enquiry_hash, received_at, area, email, payload, signals, quarantined_at, corrects
      )
      values (
        ${id}, ${idempotencyKey}, ${dedupeKey}, ${receivedAt}, ${area}, ${email}, ${payloadOf(lead)},
        ${signals.length === 0 ? null : JSON.stringify(signals)}, ${isQuarantined ? receivedAt : null},
        ${correctsOf(arrival)}
      )
      on conflict (idempotency_key) do nothing`
    return changes === 1
  }

  #resolveIdempotencyConflict(arrival: StorableArrival): AcceptedLead {
    const known = this.#sql
      .get`select * from leads where idempotency_key = ${arrival.idempotencyKey}`
    const met = resolveIdempotencyConflict(arrival, known as unknown as KnownLead)
    return 'repeats' in met ? met.repeats : this.#storeArrival(met.correction)
  }

  #insertConsent({ lead: { id, consent } }: LeadArrival): void {
    this.#sql.run`
      insert into disclosures (hash, text) values (${consent.textHash}, ${consent.text})
      on conflict (hash) do nothing`
    this.#sql.run`
      insert into consents (lead_id, disclosure_hash, agreed_at, ip, user_agent, page_url)
      values (
        ${id}, ${consent.textHash}, ${consent.at}, ${consent.ip}, ${consent.userAgent}, ${consent.pageUrl}
      )`
  }

  /** @returns the lead that it repeats; null where a delivery is owed */
  #createDeliveryUnlessDuplicate(arrival: LeadArrival): string | null {
    const { id, receivedAt } = arrival.lead
    const holder = this.#claimDedupeKey(arrival)
    if (holder !== id) {
      this.#sql.run`update leads set duplicate_of = ${holder} where id = ${id}`
      return holder
    }
    this.#sql.run`
      insert into deliveries (id, lead_id, created_at, next_at)
      values (${randomUUIDv7()}, ${id}, ${receivedAt}, ${receivedAt})`
    return null
  }

  /** Prepared when there are tables. */
  #claimDedupeKey({ lead: { id, receivedAt }, dedupeKey }: LeadArrival): string {
    this.#claim ??= this.#database.prepare(this.#claiming)
    return (this.#claim.get(dedupeKey, id, receivedAt) as { lead_id: string }).lead_id
  }
}
