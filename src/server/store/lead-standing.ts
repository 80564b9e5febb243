import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { deliveryStatus, type Settlement } from '#domain/delivery/delivery.ts'
import type { LeadStatus } from '#server/use-cases/read-leads.ts'
import type { StoreTables } from './store-tables.ts'

/** A lead's row joined with its delivery's, which is all null where it owes none. */
interface Standing {
  readonly delivery_id: string | null
  readonly settled_as: Settlement | null
  readonly leased_until: number | null
}

export function leadStatus(row: Standing, now: number): LeadStatus {
  if (row.delivery_id === null) return 'duplicate'
  return deliveryStatus({ settledAs: row.settled_as, leasedUntil: row.leased_until }, now)
}

type Deliveries = ExpressionBuilder<StoreTables, 'deliveries'>

/** The same rule for the database, to choose and count by. */
export function hasStatus(eb: Deliveries, status: LeadStatus, now: number): Expression<SqlBool> {
  switch (status) {
    case 'duplicate':
      return eb('deliveries.id', 'is', null)
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
