import type { Generated } from 'kysely'
import type { Area } from '#domain/area.ts'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type { AttemptReason, OutcomeName, RejectionCause } from '#domain/delivery/outcome.ts'
import type { ErasedBy } from '#domain/lead/lead.ts'
import type { DeliveryHistoryTables } from './delivery-history-tables.ts'
import type { JobTables } from './job-tables.ts'
import type { LeadIndexTables } from './lead-index-tables.ts'
import type { OperatorTables } from './operator-tables.ts'

/**
 * The same on SQLite and PostgreSQL: text UUIDv7 ids, epoch-millisecond integers, JSON as text. A few names are the first
 * release's, which still runs on this schema: the code has other words for them, said at each.
 */
export interface StoreTables
  extends OperatorTables,
    LeadIndexTables,
    DeliveryHistoryTables,
    JobTables {
  leads: {
    id: string
    idempotency_key: string
    /** `dedupeKey`. */
    same_enquiry_hash: string
    received_at: number
    area: Area
    email: string
    /** The lead that this one repeats (reading 18). */
    duplicate_of: string | null
    /** The lead that came under the same Idempotency-Key first, with other content (reading 23). */
    corrects: Generated<string | null>
    /** The lead's other fields: JSON of `LeadPayload`; of `ErasedPayload` once erased. */
    payload: string
    erased_at: Generated<number | null>
    /** Set with `erased_at`. */
    erased_by: Generated<ErasedBy | null>
    /** JSON of `Signal[]`: what spoke against it; null where nothing did. */
    signals: Generated<string | null>
    /** Since when it waits for the operator, in epoch milliseconds; null where it never did. */
    quarantined_at: Generated<number | null>
    released_at: Generated<number | null>
  }
  /** Each disclosure once, so that a million consents do not hold a million copies of it. */
  disclosures: {
    hash: string
    text: string
  }
  consents: {
    lead_id: string
    disclosure_hash: string
    agreed_at: number
    ip: string
    user_agent: string
    page_url: string
  }
  /** Releases from quarantine that can still be undone: nothing is sent until `due_at`. */
  held_releases: {
    lead_id: string
    /** Epoch milliseconds. */
    due_at: number
    operator_id: string
    /** The act whose outcome it is. */
    audit_id: string
  }
  /**
   * `dedupeKeys`: which lead counts for a person and program, the row that simultaneous duplicates meet at (ruling
   * 18). A quarantined lead has none, nor has one that was not taken, or somebody else's enquiry in a person's name would
   * keep out the person's own.
   */
  enquirers: {
    same_enquiry_hash: string
    lead_id: string
    received_at: number
  }
  /** A lead that owes none is a duplicate or quarantined. The status is derived: see `deliveryStatus`. */
  deliveries: {
    id: string
    lead_id: string
    created_at: number
    attempts: Generated<number>
    /** When it is due; while it is leased, when the lease ends. */
    next_at: number
    lease: string | null
    leased_until: number | null
    settled_as: Settlement | null
    settled_at: number | null
    /** What it can be looked for by: see `settledBecause`. */
    settled_because: RejectionCause | 'unreadable' | null
    /** `uncountedAttempts`: those that did not spend the retry schedule. */
    spared: Generated<number>
    /** `backoffSince`: when its backoff by our own schedule began; null where it never failed, or where the distributor named the time. */
    waits_since: number | null
    unknown_attempts: Generated<number>
    /** Attempts that may have reached the distributor after an unknown one: how often the lead may be there too often. */
    possible_duplicates: Generated<number>
    /** The lead's `erased_at`, so that counts need no join. */
    lead_erased_at: Generated<number | null>
    /** The same as `settled_at` where an operator has settled it, and not the distributor's answer. */
    settled_by_hand_at: Generated<number | null>
    /** When a backup was restored in which it was owed: it may have been delivered between the two. */
    restored_at: Generated<number | null>
  }
  attempts: {
    id: string
    delivery_id: string
    started_at: number
    duration_ms: number
    outcome: OutcomeName
    http_status: number | null
    reason: Generated<AttemptReason | null>
    /** The system's name for it, such as ECONNREFUSED. */
    error_code: Generated<string | null>
    /** What its Retry-After asked for. */
    retry_after_ms: Generated<number | null>
    /** What the distributor wrote: it may quote the lead, and is erased with it. Before 0006: our words with its own. */
    detail: string | null
  }
  /** The delivery breaker: one row, with the id 1. */
  delivery_gate: {
    id: number
    /** `refusal`: a trip whose cause is `refused`. */
    paused_by: 'operator' | 'refusal' | null
    /** The operator's words; without a pause, what the distributor said to the latest that failed. */
    pause_reason: string | null
    paused_at: number | null
    /** Since when a trip for an outage is on. */
    outage_since: number | null
    /** Probes without an answer, and those that were refused: see `FailedProbes`. */
    failed_probes: Generated<number>
    refused_probes: Generated<number>
    akin_refused_probes: Generated<number>
    /** Since the last probe that failed. */
    answered_probes: Generated<number>
    /** Of the trip, or of the last one; and until when it holds for the next: see `Patience`. */
    enough_refusals: Generated<number>
    patient_until: Generated<number | null>
    /** The lease of the delivery that is the probe under way. */
    probe: string | null
    probe_at: number | null
    repeat_at: Generated<number | null>
    /** When a worker's start last let one through. */
    start_probe_at: Generated<number | null>
  }
  /** Where all leads of this store have gone: one row, or none. */
  moves: {
    place: string
    moved_at: number
  }
  /** Made once, by whichever process needs it first. */
  secrets: {
    name: string
    value: string
  }
  /** Kysely's own: the migrations that have been run. */
  kysely_migration: {
    name: string
  }
}
