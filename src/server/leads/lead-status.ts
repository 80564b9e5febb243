import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Signal } from '#domain/abuse/signals.ts'
import { deliveryStatus, type Settlement } from '#domain/delivery/delivery.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** What a lead's status is derived from, where `leads` is joined with `deliveries`. */
export const statusColumns = [
  'leads.erased_at',
  'leads.quarantined_at',
  'leads.released_at',
  'deliveries.id as delivery_id',
  'deliveries.settled_as',
  'deliveries.leased_until',
] as const

/** The delivery's columns are all null where the lead owes none. */
interface StatusColumns {
  readonly erased_at: number | null
  readonly quarantined_at: number | null
  readonly released_at: number | null
  readonly delivery_id: string | null
  readonly settled_as: Settlement | null
  readonly leased_until: number | null
}

export function leadStatus(row: StatusColumns, now: number): LeadStatus {
  if (row.erased_at !== null) return 'erased'
  if (row.quarantined_at !== null && row.released_at === null) return 'quarantined'
  if (row.delivery_id === null) return 'duplicate'
  return deliveryStatus({ settledAs: row.settled_as, leasedUntil: row.leased_until }, now)
}

/** What an operator's act on one lead is decided by; undefined where there is no such lead. */
export const findStatusRow = (store: Kysely<StoreTables>, leadId: string) =>
  store
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.duplicate_of', 'leads.payload', 'deliveries.settled_because'])
    .select(statusColumns)
    .where('leads.id', '=', leadId)
    .executeTakeFirst()

export const readSignals = (signals: string | null): readonly Signal[] =>
  signals === null ? [] : JSON.parse(signals)

type LeadsAndDeliveries = ExpressionBuilder<StoreTables, 'leads' | 'deliveries'>

/** The same rule for the database, to choose by. */
export function hasStatus(
  eb: LeadsAndDeliveries,
  status: LeadStatus,
  now: number,
): Expression<SqlBool> {
  if (status === 'erased') return eb('leads.erased_at', 'is not', null)
  return eb.and([eb('leads.erased_at', 'is', null), statusIs(eb, status, now)])
}

function statusIs(
  eb: LeadsAndDeliveries,
  status: Exclude<LeadStatus, 'erased'>,
  now: number,
): Expression<SqlBool> {
  switch (status) {
    case 'quarantined':
      return eb.and([
        eb('leads.quarantined_at', 'is not', null),
        eb('leads.released_at', 'is', null),
      ])
    case 'duplicate':
      return eb('leads.duplicate_of', 'is not', null)
    case 'pending':
      return eb.and([
        eb('deliveries.id', 'is not', null),
        eb('deliveries.settled_as', 'is', null),
        eb.or([
          eb('deliveries.leased_until', 'is', null),
          eb('deliveries.leased_until', '<=', now),
        ]),
      ])
    case 'leased':
      return eb.and([
        eb('deliveries.settled_as', 'is', null),
        eb('deliveries.leased_until', '>', now),
      ])
    default:
      return eb('deliveries.settled_as', '=', status)
  }
}

/** Asked of deliveries. One that was erased stays owed, and nobody can settle it. */
export const isInDoubt = sql<SqlBool>`deliveries.restored_at is not null and deliveries.settled_at is null
  and deliveries.lead_erased_at is null`
