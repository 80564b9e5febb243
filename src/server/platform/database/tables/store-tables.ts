import type { ColumnType, Generated } from 'kysely'
import type { Area } from '#domain/area.ts'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type { AttemptReason, OutcomeName, RejectionCause } from '#domain/delivery/outcome.ts'
import type { BulkAction, JobPhase } from '#domain/job/job.ts'
import type { MemberOutcome } from '#domain/job/member-outcome.ts'
import type { ErasedBy } from '#domain/lead/lead.ts'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import type { Role } from '#domain/operator/role.ts'

/**
 * The same on SQLite and PostgreSQL: text UUIDv7 ids, epoch-millisecond integers, JSON as text. A
 * few names are the first release's, which still runs on this schema; the code's terms are noted
 * at each.
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
   * `dedupeKeys`: the lead that counts for a person and program; simultaneous duplicates lock this
   * row (ruling 18). A quarantined lead has none, nor has one that was not taken, or somebody
   * else's enquiry in a person's name would keep out the person's own.
   */
  enquirers: {
    same_enquiry_hash: string
    lead_id: string
    received_at: number
  }
  /**
   * A lead without a delivery is a duplicate or quarantined. The status is derived: see
   * `deliveryStatus`.
   */
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
    /** The value for searches: see `settledBecause`. */
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
    /** The delay of its Retry-After. */
    retry_after_ms: Generated<number | null>
    /**
     * The distributor's response: it may quote the lead, and is erased with it. Before 0006: our
     * words with its own.
     */
    detail: string | null
  }
  /** The delivery breaker: one row, with the id 1. */
  delivery_gate: {
    id: number
    /** `refusal`: a trip whose cause is `refused`. */
    paused_by: 'operator' | 'refusal' | null
    /** The operator's reason; without a pause, the distributor's response to the latest failure. */
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
    /** Of the trip, or of the last one; and until when it holds for the next: see `Timeouts`. */
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

/** The console's tables. Secrets are stored as hashes. `kept_forms` is unused since 0.3.0: migrations never drop a table. */
export interface OperatorTables {
  operators: {
    id: string
    email: string
    role: Role
    created_at: number
    disabled_at: number | null
  }
  operator_credentials: {
    /** A passkey's own id, a password's operator, or the hash of an identity: see credentials.ts. */
    id: string
    operator_id: string
    kind: 'password' | 'passkey' | 'single sign-on'
    /** The password's hash, as a PHC string; the passkey's public key, base64url. */
    secret: string
    /** A passkey's signatures, as its authenticator counts them. */
    counter: Generated<number>
    created_at: number
    used_at: number | null
  }
  operator_links: {
    code_hash: string
    operator_id: string
    purpose: 'invitation' | 'sign-in'
    expires_at: number
  }
  operator_sessions: {
    token_hash: string
    /** The id that pages show. */
    id: string
    operator_id: string
    began_at: number
    seen_at: number
    /** The last authentication: see lastAuthenticatedAt in sessions.ts. */
    strong_at: number
    network: string
    browser: string
  }
  /** At most 65,536 of each kind: see attemptKey. */
  sign_in_failures: {
    key: string
    count: number
    last_at: number
    free_at: number
  }
  /** Triggers refuse to change or remove rows here and in audit_outcomes. */
  audit: {
    id: string
    at: number
    via: 'console' | 'command line'
    operator_id: string | null
    system_user: string | null
    network: string | null
    /** Another release may know other actions. */
    action: ColumnType<string, AuditAction, never>
    subject: string | null
    reason: string | null
  }
  audit_outcomes: {
    audit_id: string
    outcome: string
  }
}

/**
 * Lists, search and counts read these tables. A lead's row is inserted with the lead; triggers change it in the transaction that
 * changes the lead or its delivery (migration 0024).
 * `lead_changes` and `lead_news` are there for processes of 0.2.0 alone.
 */
export interface LeadIndexTables {
  /** Leads that a process of the previous release has stored: their rows lack the answers and the keys. */
  leads_to_index: {
    lead_id: string
  }
  lead_index: {
    lead_id: string
    received_at: number
    /** A status; `owed` means pending or leased, which differ only by the time. */
    status: IndexedStatus
    area: Area
    /** The program's id; null where it cannot be read. */
    program: number | null
    /** Null once erased, as are the rest. */
    affiliate: string | null
    state: string | null
    /** 0 where the address was not found or not asked for. */
    verified: number | null
    attempts: number
    /** How the last attempt failed, in one word: the HTTP status, else the system's code, else our reason. Null after a delivery. */
    error: string | null
    /** Of `error_groups`; null where `error` is. */
    error_group: Generated<string | null>
    /** When that attempt began, in epoch milliseconds. */
    failed_at: Generated<number | null>
  }
  /** The distributor's response, about any lead: see `error-groups.ts`. */
  error_groups: {
    /** The error, and a mark of the words. */
    id: string
    error: string
    /** Without personal data; empty if there was no response. */
    words: string
  }
  /** A person's email, phone and last name, each as a keyed hash, and the lead's signals: see `lead-keys.ts`. */
  lead_keys: {
    key: string
    received_at: number
    lead_id: string
  }
  /** An operator's searches, as such hashes, for an hour. */
  lead_searches: {
    id: string
    operator_id: string
    /** JSON of `string[]`. */
    keys: string
    /** Epoch milliseconds. */
    created_at: number
  }
  /** Unused: release 0.2.0 keeps here how far an export is. */
  export_progress: {
    id: string
    operator_id: string
    /** Epoch milliseconds. */
    began_at: number
    done: number
    state: 'running' | 'whole' | 'cut off'
  }
  saved_views: {
    id: string
    operator_id: string
    name: string
    /** As in the address. */
    query: string
    /** 1 where every operator sees it. */
    is_shared: number
    created_at: number
  }
}

export type IndexedStatus = 'owed' | 'duplicate' | 'quarantined' | Settlement

/** The `HoldKind` as migration 0015 and every release since store it. */
export type StoredHoldKind = 'pause' | 'outage' | 'refusal'

/** Figures of past deliveries for the console: delivery does not depend on them. */
export interface DeliveryHistoryTables {
  /** A while in which the breaker was open. */
  delivery_holds: {
    id: string
    /** `refusal`: a `HoldKind` that is `refused`. */
    kind: StoredHoldKind
    /** The operator's reason; for a trip, the distributor's last response. */
    reason: string
    /** Epoch milliseconds; of a trip when the first attempt that failed began. */
    began_at: number
    /** Since when it held deliveries back; null where a version before 0021 has written it. */
    noticed_at: Generated<number | null>
    /** Null while it lasts, and where nobody noted its end. */
    ended_at: number | null
    /** 1 while it lasts. */
    is_open: number
    /** An operator's id, or the system's name for its user; neither where nobody did. */
    begun_by_operator: string | null
    begun_by_user: string | null
    ended_by_operator: string | null
    ended_by_user: string | null
    /** The words of the operator who ended it. */
    end_reason: string | null
  }
  /** How a delivery had ended before it was reopened, one row per retry. */
  delivery_endings: {
    delivery_id: string
    settled_as: Settlement
    /** Epoch milliseconds. */
    settled_at: number
    /** 1 where an operator had settled it. */
    is_by_hand: number
    owed_again_at: number
  }
  /** The outcomes of the attempts of five minutes. */
  delivery_rollups: {
    /** Epoch milliseconds: five minutes from then on. */
    from_at: number
    delivered: number
    rejected: number
    failed: number
    /** JSON of a `Histogram`, of milliseconds: from received to delivered, and of each call. */
    waits: string
    calls: string
    /**
     * At the end of its five minutes: the number of waiting deliveries, and since when the oldest
     * waits; null if no process counted then.
     */
    waiting: number | null
    oldest_at: number | null
  }
}

/** Acts on many leads. Times are epoch milliseconds. */
export interface JobTables {
  jobs: {
    id: string
    action: BulkAction
    /** As in the address of the leads. */
    query: string
    /** 1 where it is about a person who was searched for. */
    is_of_search: number
    /** Their keyed hashes: JSON of `string[]`; null once it has ended. */
    search_keys: string | null
    /** The operator who started it; before the start, the one who planned it. */
    operator_id: string | null
    system_user: string | null
    network: string | null
    phase: JobPhase
    planned_at: number
    /** JSON of `StoredPlan`. */
    plan: string
    reason: Generated<string | null>
    /** Leads a second. */
    rate: number
    started_at: Generated<number | null>
    /** How far the walk through the leads has come that is at hand. */
    reached_at: Generated<number | null>
    reached_id: Generated<string | null>
    members: Generated<number>
    /** Those up to this position. */
    done: Generated<number>
    /** JSON of `OutcomeCounts`. */
    report: Generated<string>
    running_since: Generated<number | null>
    running_from: Generated<number>
    paused_at: Generated<number | null>
    cancelled_at: Generated<number | null>
    ended_at: Generated<number | null>
    members_removed_at: Generated<number | null>
    /** Of the process that works at it. */
    lease: Generated<string | null>
    leased_until: Generated<number | null>
  }
  job_members: {
    job_id: string
    /** From 1 on, the oldest lead first. */
    position: number
    lead_id: string
    /** Null until it was its turn. */
    outcome: Generated<MemberOutcome | null>
    /** The lead that counts in its place; of a failure the code. */
    detail: Generated<string | null>
    /** When it was its turn. */
    at: Generated<number | null>
  }
}
