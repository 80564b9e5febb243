import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Destination } from '#domain/notifications/notification.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** One queue with a breaker of its own: the leads for the distributor, or the notifications for one destination. */
export interface Outbox {
  /** Queries use this table under the alias `deliveries`. Every outbox has the columns that these queries use. */
  readonly table: 'deliveries'
  /** Queries use the breaker's table under the alias `delivery_gate`. */
  readonly breakerTable: 'delivery_gate'
  /** Selects the breaker's row. */
  readonly isOwnBreaker: Expression<SqlBool>
  /** Selects the outbox's rows. */
  readonly isOwn: (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => Expression<SqlBool>
  /** Selects rows without an attempt since a time (epoch milliseconds). */
  readonly isUntriedSince: (time: number) => Expression<SqlBool>
}

/** @param destination the webhook or affiliate; undefined for the leads that the distributor receives */
export const findOutbox = (destination: Destination | undefined): Outbox =>
  destination === undefined ? leadOutbox : makeNotificationOutbox(destination)

const leadOutbox: Outbox = {
  table: 'deliveries',
  breakerTable: 'delivery_gate',
  isOwnBreaker: sql<boolean>`delivery_gate.id = 1`,
  isOwn: () => sql<boolean>`1 = 1`,
  isUntriedSince: (time) =>
    sql<boolean>`not exists (
      select 1 from attempts where delivery_id = deliveries.id and started_at >= ${time})`,
}

export const formatDestinationKey = ({ kind, id }: Destination): string => `${kind}/${id}`

/** The aliases let one query serve both outboxes. */
const makeNotificationOutbox = (destination: Destination): Outbox => ({
  table: 'notifications as deliveries' as 'deliveries',
  breakerTable: 'notification_gates as delivery_gate' as 'delivery_gate',
  isOwnBreaker: sql<boolean>`delivery_gate.id = ${formatDestinationKey(destination)}`,
  isOwn: () =>
    sql<boolean>`(deliveries.kind = ${destination.kind} and deliveries.destination = ${destination.id})`,
  isUntriedSince: (time) => sql<boolean>`(tried_at is null or tried_at < ${time})`,
})
