import { type Kysely, type SqlBool, sql } from 'kysely'
import type { AbuseSignal } from '#domain/abuse/signals.ts'
import { findDeliveryStatus } from '#domain/delivery/delivery.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The columns for a lead's status, in a query that joins `leads` with `lead_index` and `deliveries`. */
export const statusColumns = ['lead_index.status', 'deliveries.leased_until'] as const

interface StatusColumns {
  readonly status: IndexedStatus
  readonly leased_until: number | null
}

/** The lead's status, derived by the database (migration 0024); only the lease's end tells pending from leased. */
export const findLeadStatus = ({ status, leased_until }: StatusColumns, now: number): LeadStatus =>
  status === 'owed'
    ? findDeliveryStatus({ settledAs: null, leasedUntil: leased_until }, now)
    : status

/** Finds the data that an operator's action on a lead depends on; undefined if the lead does not exist. */
export const findStatusRow = (store: Kysely<StoreTables>, leadId: string) =>
  store
    .selectFrom('leads')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.duplicate_of', 'leads.payload', 'deliveries.settled_because'])
    .select('deliveries.settled_as')
    .select(statusColumns)
    .where('leads.id', '=', leadId)
    .executeTakeFirst()

export const parseSignals = (signals: string | null): readonly AbuseSignal[] =>
  signals === null ? [] : JSON.parse(signals)

/**
 * The condition for an open delivery that was restored from a backup and may have been sent after the backup. An erased
 * lead's delivery is left out, because nobody can settle it.
 */
export const inDoubtCondition = sql<SqlBool>`deliveries.restored_at is not null and deliveries.settled_at is null
  and deliveries.lead_erased_at is null`
