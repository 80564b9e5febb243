import type { ColumnType, Generated } from 'kysely'
import type { Area } from '#domain/area.ts'
import type { CapPeriod } from '#domain/delivery/cap.ts'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type {
  AttemptOutcomeName,
  CountedRejectionCause,
  OutcomeReason,
  RejectionCause,
} from '#domain/delivery/outcome.ts'
import type { BulkAction, JobPhase } from '#domain/job/job.ts'
import type { JobLeadOutcome } from '#domain/job/job-lead-outcome.ts'
import type { ErasureCause } from '#domain/lead/lead.ts'
import type { Device, FunnelCountScope } from '#domain/measuring/funnel.ts'
import type {
  NotificationEvent,
  NotificationKind,
  NotSentReason,
} from '#domain/notifications/notification.ts'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import type { Role } from '#domain/operator/permissions.ts'

/**
 * The tables of a store, which are the same on SQLite and PostgreSQL. Ids are UUIDv7 texts, times are epoch
 * milliseconds, and JSON is text. Some columns have older names than the code, because release 0.2.0 must still run on
 * this schema. Columns that only release 0.2.0 uses are left out.
 */
export interface StoreTables {
  leads: {
    id: string
    idempotency_key: string
    /** The code calls this column `dedupeKey`. */
    same_enquiry_hash: string
    received_at: number
    area: Area
    email: string
    /** The id of the original lead, if this lead is a duplicate (reading 18). */
    duplicate_of: string | null
    /** The id of the first lead with the same Idempotency-Key, if this lead's content is different (reading 23). */
    corrects: Generated<string | null>
    /** JSON of the lead's other fields, as `LeadPayload`, or as `FieldsKeptAfterErasure` after an erasure. */
    payload: string
    erased_at: Generated<number | null>
    erased_by: Generated<ErasureCause | null>
    /** JSON of `AbuseSignal[]`; null without signals. */
    signals: Generated<string | null>
    /** When the lead came into quarantine; also set after its release. Null for other leads. */
    quarantined_at: Generated<number | null>
    released_at: Generated<number | null>
    /** When the person whose listing the release overrode had been listed; null for other releases. */
    released_despite: Generated<number | null>
    /** The lead's reference, which is unique; null if release 0.3.0 or an earlier one stored the lead. */
    reference: Generated<string | null>
  }
  disclosures: { hash: string; text: string }
  /** The disclosures that pages have shown: see `shown-disclosures.ts`. */
  shown_disclosures: { id: string; text: string }
  consents: {
    lead_id: string
    disclosure_hash: string
    agreed_at: number
    ip: string
    user_agent: string
    page_url: string
  }
  /**
   * The dedupe keys (dedupe-keys.ts): each row names the lead that holds the key of a person and program. Simultaneous
   * duplicates lock the key's row (reading 18). Quarantined leads and leads that the distributor did not accept have no
   * row, because an enquiry under another person's name must not block that person's own enquiry.
   */
  enquirers: { same_enquiry_hash: string; lead_id: string; received_at: number }
  /** A lead without a delivery is a duplicate or quarantined. `findDeliveryStatus` derives a delivery's status. */
  deliveries: {
    id: string
    lead_id: string
    created_at: number
    attempts: Generated<number>
    /** When the delivery is due; while it is leased, when the lease ends. */
    next_at: number
    lease: string | null
    leased_until: number | null
    settled_as: Settlement | null
    settled_at: number | null
    settled_because: RejectionCause | 'unreadable' | null
    /** The number of attempts that the delivery is spared: they don't count toward the retry schedule. */
    spared: Generated<number>
    /** When the last attempt failed, if our retry schedule set the wait; null before, or if the distributor set it. */
    waits_since: number | null
    unknown_attempts: Generated<number>
    /** The number of attempts after one with an unknown outcome: each may be a duplicate for the distributor. */
    possible_duplicates: Generated<number>
    /** A copy of the lead's `erased_at`, so that counts need no join. */
    lead_erased_at: Generated<number | null>
    /** Equals `settled_at` if an operator settled the delivery. */
    settled_by_hand_at: Generated<number | null>
    /** When a backup with this open delivery was restored. The lead may have been delivered after the backup. */
    restored_at: Generated<number | null>
  }
  attempts: {
    id: string
    delivery_id: string
    started_at: number
    duration_ms: number
    outcome: AttemptOutcomeName
    http_status: number | null
    reason: Generated<OutcomeReason | null>
    /** The operating system's error code, such as ECONNREFUSED. */
    error_code: Generated<string | null>
    retry_after_ms: Generated<number | null>
    /** The distributor's response, which may quote the lead; an erasure of the lead removes the response. */
    detail: string | null
  }
  /** The delivery breaker: one row, with the id 1. */
  delivery_gate: {
    id: number
    /** `refusal` means that the breaker tripped because the distributor refused leads. */
    paused_by: 'operator' | 'refusal' | null
    /** The operator's reason for a pause; without a pause, the distributor's response to the latest failure. */
    pause_reason: string | null
    paused_at: number | null
    outage_since: number | null
    /** `failed_probes` and the next two columns add up to `failedProbes`; only release 0.2.0 fills the third. */
    failed_probes: Generated<number>
    refused_probes: Generated<number>
    akin_refused_probes: Generated<number>
    /** The number of answered probes since the last failed probe. */
    answered_probes: Generated<number>
    /** The lease of the delivery that the running probe sends. */
    probe: string | null
    probe_at: number | null
    repeat_at: Generated<number | null>
    /** When a starting worker was last allowed to send a probe. */
    start_probe_at: Generated<number | null>
  }
  /** Webhooks: the operator's own systems that receive notifications about leads. */
  webhooks: {
    id: string
    url: string
    /** JSON of `LeadEvent[]`. */
    events: string
    /** 1 if the webhook receives the lead's answers. */
    sends_personal_data: number
    /** The key that signs each call, as `whsec_…`. */
    secret: string
    created_at: number
  }
  /**
   * The outbox of calls to webhooks and affiliates, one row for each destination and subject. A column that
   * `deliveries` has, too, has the same meaning in both tables.
   */
  notifications: Omit<
    StoreTables['deliveries'],
    | 'lead_id'
    | 'settled_as'
    | 'settled_because'
    | 'lead_erased_at'
    | 'settled_by_hand_at'
    | 'restored_at'
  > & {
    kind: NotificationKind
    /** The id of the webhook or the affiliate. */
    destination: string
    /** What the call is about: a lead and an event, or one test. */
    subject: string
    /** Null for a test. */
    lead_id: string | null
    event: NotificationEvent
    event_at: number
    /** The distributor's reason for the event in one word or phrase. */
    event_reason: string | null
    /** When the last attempt began; null before the first. */
    tried_at: Generated<number | null>
    settled_as: Generated<'delivered' | 'dead' | null>
    settled_because: Generated<NotSentReason | null>
    http_status: Generated<number | null>
    /** Why the last attempt failed, if it has no HTTP status. */
    error: Generated<string | null>
    /** The first 4 KB of the last reply, which may quote the lead; an erasure of the lead removes the reply. */
    reply: Generated<string | null>
  }
  /** The circuit breaker of each destination, like `delivery_gate`. The id consists of kind and destination. */
  notification_gates: Omit<StoreTables['delivery_gate'], 'id'> & { id: string }
  /** Caps on the leads that are sent. Null in `program`, `affiliate_id` or `state` means any value: see `Cap`. */
  caps: {
    id: string
    program: number | null
    affiliate_id: string | null
    state: string | null
    max_leads: number | null
    period: CapPeriod
    /** Minutes after midnight. */
    opens_at: number | null
    closes_at: number | null
    /** The weekdays on which leads are sent, as digits from 1 for Monday; empty for every day. */
    weekdays: Generated<string>
    /** The days on which no leads are sent, such as `2026-12-25`, separated by spaces. */
    holidays: Generated<string>
    /** The two-letter codes of states, separated by spaces. */
    blocked_states: string
    follows_distributor: number
    full_since: number | null
    created_at: number
  }
  /** The deliveries that count toward a cap: accepted, or sent without a final answer. */
  cap_uses: {
    cap_id: string
    /** The day or month of `used_at` in UTC, such as `2026-11-24` or `2026-11`. */
    period: string
    delivery_id: string
    /** When the delivery was claimed or accepted. A cap's period in the school's time zone is found by this time. */
    used_at: number
  }
  /** Deliveries that caps hold, as long as `until_at` equals the delivery's `next_at`: see `heldCondition`. */
  held_deliveries: {
    delivery_id: string
    cap_id: string
    until_at: number
    because: string
  }
  /** The mode of the servers that have used the store. */
  store_mode: { mode: 'demo' | 'production' }
  /** One row if all leads were moved to another store, which `place` names; otherwise none. */
  moves: { place: string; moved_at: number }
  /** Secrets, each created by the first process that needs it. */
  secrets: { name: string; value: string }
  kysely_migration: { name: string }
  operators: {
    id: string
    email: string
    role: Role
    created_at: number
    disabled_at: number | null
  }
  operator_credentials: {
    /** The id of a passkey, the id of a password's operator, or the hash of an identity: see credentials.ts. */
    id: string
    operator_id: string
    kind: 'password' | 'passkey' | 'single sign-on'
    /** A password's hash as a PHC string, or a passkey's public key as base64url. */
    secret: string
    /** The authenticator's count of signatures with the passkey. */
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
    /** The session's id in pages, which never contain the session's token. */
    id: string
    operator_id: string
    began_at: number
    seen_at: number
    /** The code calls this column `lastAuthenticatedAt`. */
    strong_at: number
    network: string
    browser: string
  }
  sign_in_failures: {
    key: string
    count: number
    last_at: number
    free_at: number
  }
  /** Triggers refuse to change or remove rows of this table, of audit_outcomes and of audit_changes. */
  audit: {
    id: string
    at: number
    via: 'console' | 'command line'
    operator_id: string | null
    system_user: string | null
    network: string | null
    /** A string, because another version may write actions that this version does not know. */
    action: ColumnType<string, AuditAction, never>
    subject: string | null
    reason: string | null
  }
  audit_outcomes: { audit_id: string; outcome: string }
  audit_changes: {
    audit_id: string
    /** The name of what was changed. */
    target: string | null
    /** A JSON list of changed values: name, old value and new value, each a text. */
    changes: string
  }
  /** Leads that release 0.2.0 stored beside this version: their index rows lack the answers and the search keys. */
  leads_to_index: { lead_id: string }
  /**
   * The lead index, which lists, searches and counts read. Triggers update a row in the transaction that changes the
   * lead or its delivery (migration 0022).
   */
  lead_index: {
    lead_id: string
    received_at: number
    status: IndexedStatus
    area: Area
    /** The program's id; null if the lead cannot be read. */
    program: number | null
    /** The affiliate id of the visitor's link; null after an erasure, like the other answers. */
    affiliate: string | null
    /** The source of the last touch (reading 29); null for a direct visit, and for leads of release 0.2.0. */
    source: Generated<string | null>
    campaign: Generated<string | null>
    medium: Generated<string | null>
    content: Generated<string | null>
    /** A bit for each value from a link that contains the person's own data: see `lead-origins.ts`. */
    personal_origins: Generated<number | null>
    /** The values from a link in lower case, by which filters find leads. */
    affiliate_key: Generated<string | null>
    source_key: Generated<string | null>
    campaign_key: Generated<string | null>
    medium_key: Generated<string | null>
    content_key: Generated<string | null>
    state: string | null
    /** 0 if the street address was not found or not checked. */
    verified: number | null
    attempts: number
    /**
     * How the last attempt failed, in one word: the HTTP status, the system's error code or our own reason. Null for a
     * delivered lead.
     */
    error: string | null
    /** The id of the row in `error_groups`; null if `error` is null. */
    error_group: Generated<string | null>
    failed_at: Generated<number | null>
    /** Null if the device is unknown. */
    device: Generated<Device | null>
    /** When the distributor took the accepted lead back, copied from `returns`; null if it did not. */
    returned_at: Generated<number | null>
    /**
     * Why the distributor's last answer was a rejection (migration 0022); null if it was not. A retried lead keeps the
     * cause until the next answer.
     */
    rejected_because: Generated<CountedRejectionCause | null>
    /** The affiliate's own id, which an erasure keeps when it removes the affiliate id of the link; null before. */
    kept_affiliate_id: Generated<string | null>
  }
  /**
   * What each accepted lead costs and earns, and the reverse if it is returned (migration 0032). Triggers write an entry
   * in the transaction that settles the lead or records the return, and refuse every change but the one that closes a
   * statement. Entries stay when the lead is erased.
   */
  lead_ledger: {
    lead_id: string
    kind: 'accepted' | 'returned'
    /** When the lead was settled as accepted, or when the return was recorded. */
    at: number
    /** The affiliate's own id; null if no affiliate had the lead's affiliate id. */
    affiliate_id: string | null
    program: number | null
    /** Negative for a returned lead; null if no payout counted. */
    payout_cents: number | null
    revenue_cents: number | null
    /** The closed statement that contains the entry; null before. */
    statement_id: string | null
  }
  /** What affiliates get for an accepted lead, from a day on until the next row of the same affiliate and program. */
  payouts: DatedValueColumns & { affiliate_id: string }
  /** What the company gets for an accepted lead, from a day on until the next row of the same program. */
  revenues: DatedValueColumns
  /** Closed statements: see `statements.ts`. Nobody changes or removes a row. */
  statements: {
    id: string
    affiliate_id: string
    affiliate_name: string
    /** The month's first day. */
    month: number
    /** JSON of `StatementLine[]`. */
    lines: string
    accepted: number
    returned: number
    reversed: number
    owed_cents: number
    closed_at: number
    operator_id: string | null
    system_user: string | null
  }
  /** The names of removed affiliates, for their statements. */
  removed_affiliates: { id: string; name: string; removed_at: number }
  /** What ads cost on a day, by source and campaign, which is empty for the source's other costs. */
  spend: {
    day: number
    source: string
    campaign: string
    /** The source and the campaign in lower case: an import finds the row whatever their case. */
    source_key: string
    campaign_key: string
    amount_cents: number
    set_at: number
    operator_id: string | null
    system_user: string | null
  }
  /** The headings of the last file of ad spend, like `return_columns`. */
  spend_columns: { field: string; heading: string }
  /** Accepted leads that the distributor took back later. */
  returns: {
    lead_id: string
    /** When the lead was returned; noon UTC if the distributor's file names only the day. */
    returned_at: number
    /** The distributor's reason; null if the file gave none, and after an erasure. */
    reason: string | null
    imported_at: number
  }
  /** The processes whose machine's clock differs from PostgreSQL's: see `store-clock.ts`. */
  clock_differences: {
    /** The name from `formatServerName`. */
    server: string
    /** How far the machine's clock is ahead, in milliseconds; negative if it is behind. */
    ahead_ms: number
    seen_at: number
  }
  /** The process that sends alerts: one row with the id 1, or none. See `alert-loop.ts`. */
  alert_state: {
    id: number
    holder: string
    held_until: number
    /** JSON of the sent alerts. */
    told: string
  }
  /** The headings of the distributor's file of returns, as last imported: one row for each field. */
  return_columns: { field: string; heading: string }
  /** The visits of the last 48 hours: see `visit-store.ts` in `src/server/measuring`. */
  visits: {
    /** A random id of the tab, or a hash of the posted form's key. */
    id: string
    began_at: number
    seen_at: number
    area: Area
    device: Device
    program: number | null
    source: string | null
    campaign: string | null
    affiliate: string | null
    /** JSON of `VisitProgress`; empty once the visit is counted. */
    progress: string
    /** When the visit was counted; null before. */
    folded_at: number | null
  }
  /** The time zones in whose days visits were counted, each from `began_at` on. */
  counted_zones: { began_at: number; zone: string }
  /** Counts of the visits that began on the same day: see `visit-counts.ts`. Old rows may count an hour or a week. */
  funnel_counts: {
    scope: FunnelCountScope
    /** The day: see `Day` in calendar.ts. */
    from_at: number
    /** A hash of the next six columns, in which null means an unknown value, or a dimension outside the scope. */
    group_id: number
    area: Area | null
    source: string | null
    campaign: string | null
    affiliate: string | null
    device: Device | null
    program: number | null
    seen: number
    started: number
    /** JSON: for each other event, the number of visits that had it. */
    details: string
  }
  affiliates: {
    id: string
    name: string
    /** Empty without notes. */
    notes: string
    /** The latest payout that an operator entered, for the previous release: this one reads `payouts`. */
    payout_cents: number | null
    /** The template of the postback's URL; null without a postback. */
    postback_url: string | null
    created_at: number
    /** Since when the affiliate is stopped; null if it isn't. */
    stopped_at: Generated<number | null>
    stop_reason: Generated<string | null>
  }
  /** The affiliate ids of links, exactly as `lead_index.affiliate` stores them, each with its affiliate. */
  affiliate_ids: { affid: string; affiliate_id: string }
  /** The distributor's responses, each shared by any number of leads: see `error-groups.ts`. */
  error_groups: {
    /** The error, and a keyed hash of the response's text. */
    id: string
    error: string
    /** The response's text without personal data; empty if there was no response. */
    words: string
  }
  /** Keyed hashes of the email addresses and phone numbers not to contact: see `do-not-contact.ts`. */
  do_not_contact: {
    key: string
    /** When an operator last listed the person; a later listing has a later time. */
    listed_at: number
  }
  /** Leads of listed people that had been sent before, so that the receivers must be told. */
  sent_before_stop: {
    lead_id: string
    stopped_at: number
    /** When and by which operator the receivers were told. */
    told_at: Generated<number | null>
    told_by: Generated<string | null>
  }
  /** Search keys: keyed hashes of email, phone, last name and the lead's signals. See `person-searches.ts`. */
  lead_keys: { key: string; received_at: number; lead_id: string }
  /** An operator's searches as keyed hashes, kept for an hour. */
  lead_searches: {
    id: string
    operator_id: string
    /** JSON of `string[]`: the keyed hashes. */
    keys: string
    created_at: number
  }
  saved_views: {
    id: string
    operator_id: string
    name: string
    /** The filter, as in the URL's query. */
    query: string
    /** 1 if every operator sees the view. */
    is_shared: number
    created_at: number
  }
  /** Counts of attempts by outcome, in periods of five minutes. */
  delivery_rollups: {
    /** The start of the five minutes. */
    from_at: number
    delivered: number
    rejected: number
    failed: number
    /** `waits` and `calls` are empty JSON objects, because release 0.2.0 reads histograms of durations here. */
    waits: string
    calls: string
  }
  jobs: {
    id: string
    action: BulkAction
    /** The filter of the leads, as in the URL's query. */
    query: string
    /** 1 if the filter searches for a person. */
    is_of_search: number
    /** JSON of `string[]` with keyed hashes of the searched person; null after the job has ended. */
    search_keys: string | null
    /** The operator who started the job; before the start, the operator who planned it. */
    operator_id: string | null
    system_user: string | null
    network: string | null
    phase: JobPhase
    planned_at: number
    /** JSON of `StoredPlan`. */
    plan: string
    reason: Generated<string | null>
    /** The most leads per second that the job acts on. */
    rate: number
    started_at: Generated<number | null>
    /** The last lead that the job's current pass through the leads has reached. */
    reached_at: Generated<number | null>
    reached_id: Generated<string | null>
    members: Generated<number>
    /** The number of leads that the job has processed, in the order of their positions. */
    done: Generated<number>
    /** JSON of `OutcomeCounts`. */
    report: Generated<string>
    running_since: Generated<number | null>
    running_from: Generated<number>
    paused_at: Generated<number | null>
    cancelled_at: Generated<number | null>
    ended_at: Generated<number | null>
    members_removed_at: Generated<number | null>
    /** The lease of the process that runs the job. */
    lease: Generated<string | null>
    leased_until: Generated<number | null>
  }
  job_members: {
    job_id: string
    /** The lead's position in the job, from 1 on. The oldest lead comes first. */
    position: number
    lead_id: string
    /** Null until the job has processed the lead. */
    outcome: Generated<JobLeadOutcome | null>
    /** The id of the original lead, or the code of a failure. */
    detail: Generated<string | null>
    at: Generated<number | null>
  }
}

/** Nobody changes or removes a dated value. `from_day` and the next column are 0 for a value from the beginning. */
export interface DatedValueColumns {
  id: string
  /** Null for all programs that have no value of their own. */
  program: number | null
  from_day: number
  /** When the day begins in the school's time zone. */
  from_at: number
  /** Null if there is no value from this day on. */
  amount_cents: number | null
  /** Null, like the next two columns, if an earlier release set the value. */
  set_at: number | null
  operator_id: string | null
  system_user: string | null
}

/** The status `owed` means pending or leased, which only the end of the delivery's lease tells apart. */
export type IndexedStatus = 'owed' | 'duplicate' | 'quarantined' | Settlement
