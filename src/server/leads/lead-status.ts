import { type SqlBool, sql } from 'kysely'
import type { AbuseSignal } from '#domain/abuse/signals.ts'
import { findDeliveryStatus } from '#domain/delivery/delivery.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { IndexedStatus } from '#server/platform/database/tables/store-tables.ts'

/** The columns for a lead's status, in a query that joins `leads` with `lead_index` and `deliveries`. */
export const statusColumns = ['lead_index.status', 'deliveries.leased_until'] as const

interface StatusColumns {
  readonly status: IndexedStatus
  readonly leased_until: number | null
}

/** Finds a lead's status. Triggers store it (migration 0022), but only the lease's end tells pending from leased. */
export const findLeadStatus = ({ status, leased_until }: StatusColumns, now: number): LeadStatus =>
  status === 'owed'
    ? findDeliveryStatus({ settledAs: null, leasedUntil: leased_until }, now)
    : status

export const parseAbuseSignals = (signals: string | null): readonly AbuseSignal[] =>
  signals === null ? [] : JSON.parse(signals)

/** Whether a lead came after its affiliate was stopped, so that its payout is 0, in a query of `leads`. */
export const isOfStoppedAffiliate = sql<SqlBool>`coalesce(leads.signals, '') like ${sql.lit(`%"${'affiliate-stopped' satisfies AbuseSignal}"%`)}`

/**
 * The condition for an open delivery that was restored from a backup and may have been sent after the backup. An erased
 * lead's delivery is left out, because nobody can settle it.
 */
export const inDoubtCondition = sql<SqlBool>`deliveries.restored_at is not null and deliveries.settled_at is null
  and deliveries.lead_erased_at is null`

/** The columns of a delivery that nobody is sending, and that no failed attempt makes wait. */
export const noLease = { lease: null, leased_until: null, waits_since: null }

/**
 * The condition, in a query that joins `held_deliveries` with `deliveries`, for a delivery that a cap still holds.
 * Every later claim, retry or result moves `next_at` or settles the delivery, which ends the hold.
 */
export const heldCondition = sql<SqlBool>`held_deliveries.until_at = deliveries.next_at
  and deliveries.lease is null and deliveries.settled_at is null`

/** Whether a cap holds a delivery, in a query of `deliveries`. */
export const isHeldByCap = sql<SqlBool>`exists (select 1 from held_deliveries
  where held_deliveries.delivery_id = deliveries.id and ${heldCondition})`
