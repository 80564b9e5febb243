import { randomUUIDv7 } from 'node:crypto'
import type { DatabaseSync, SQLTagStore } from 'node:sqlite'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'
import type { AcceptedLead, LeadArrival } from '#server/use-cases/accept-enquiry.ts'
import { payloadOf } from '../leads/lead-row.ts'

/**
 * Stores arrivals, each with consent and delivery, in one transaction, by prepared statements, a row each: through the
 * query builder, many rows to a statement, a lead took 1.5 times as long.
 */
export class ArrivalWriter {
  readonly #database: DatabaseSync
  readonly #sql: SQLTagStore

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#sql = database.createTagStore()
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

  #storeArrival(arrival: LeadArrival): AcceptedLead {
    const { lead, idempotencyKey, isQuarantined } = arrival
    if (!this.#insertLead(arrival)) return this.#findKnown(idempotencyKey)
    this.#insertConsent(arrival)
    const duplicateOf = isQuarantined ? null : this.#oweDelivery(arrival)
    return { id: lead.id, repeated: false, duplicateOf }
  }

  /** False: its idempotency key is known. */
  #insertLead({
    lead,
    idempotencyKey,
    sameEnquiryHash,
    signals,
    isQuarantined,
  }: LeadArrival): boolean {
    const { id, receivedAt, area, email } = lead
    const { changes } = this.#sql.run`
      insert into leads
        (id, idempotency_key, same_enquiry_hash, received_at, area, email, payload, signals, quarantined_at)
      values (
        ${id}, ${idempotencyKey}, ${sameEnquiryHash}, ${receivedAt}, ${area}, ${email}, ${payloadOf(lead)},
        ${signals.length === 0 ? null : JSON.stringify(signals)}, ${isQuarantined ? receivedAt : null}
      )
      on conflict (idempotency_key) do nothing`
    return changes === 1
  }

  #findKnown(idempotencyKey: string): AcceptedLead {
    const known = this.#sql.get`
      select id, duplicate_of from leads where idempotency_key = ${idempotencyKey}`
    const { id, duplicate_of } = known as { id: string; duplicate_of: string | null }
    return { id, repeated: true, duplicateOf: duplicate_of }
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

  /** Ruling 18. Gives it its delivery, or returns the lead that it repeats. */
  #oweDelivery(arrival: LeadArrival): string | null {
    const { id, receivedAt } = arrival.lead
    const duplicateOf = this.#becomeOwner(arrival)
    if (duplicateOf !== null) {
      this.#sql.run`update leads set duplicate_of = ${duplicateOf} where id = ${id}`
      return duplicateOf
    }
    this.#sql.run`
      insert into deliveries (id, lead_id, created_at, next_at)
      values (${randomUUIDv7()}, ${id}, ${receivedAt}, ${receivedAt})`
    return null
  }

  /** The person's lead for this program that counts is this one, unless there is another that is new enough. */
  #becomeOwner({ lead, sameEnquiryHash }: LeadArrival): string | null {
    const { changes } = this.#sql.run`
      insert into enquirers (same_enquiry_hash, lead_id, received_at)
      values (${sameEnquiryHash}, ${lead.id}, ${lead.receivedAt})
      on conflict (same_enquiry_hash) do update
        set lead_id = excluded.lead_id, received_at = excluded.received_at
        where enquirers.received_at <= ${lead.receivedAt - duplicateWindowMs}`
    if (changes === 1) return null
    const owner = this.#sql.get`
      select lead_id from enquirers where same_enquiry_hash = ${sameEnquiryHash}`
    return (owner as { lead_id: string }).lead_id
  }
}
