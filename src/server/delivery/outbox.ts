import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Destination } from '#domain/notifications/notification.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** A queue with a breaker of its own: the leads for the distributor, or the notifications for one destination. */
export interface Outbox {
  /** The queue's table, which queries call `deliveries`. All queues have the columns that shared queries use. */
  readonly table: 'deliveries'
  /** The breaker's table, which queries call `delivery_gate`. */
  readonly breakerTable: 'delivery_gate'
  /** The condition for the breaker's row. */
  readonly isOwnBreaker: Expression<SqlBool>
  /** The condition for the rows of this outbox. */
  readonly isOwn: (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => Expression<SqlBool>
  /** Makes the condition for rows that nobody has tried to send since a time (epoch milliseconds). */
  readonly isUntriedSince: (time: number) => Expression<SqlBool>
}

/** @param destination the webhook or affiliate; undefined for the leads that the distributor receives */
export const describeOutbox = (destination: Destination | undefined): Outbox =>
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

/** Makes the outbox of one destination's notifications, with aliases that let one query serve all outboxes. */
const makeNotificationOutbox = (destination: Destination): Outbox => ({
  table: 'notifications as deliveries' as 'deliveries',
  breakerTable: 'notification_gates as delivery_gate' as 'delivery_gate',
  isOwnBreaker: sql<boolean>`delivery_gate.id = ${formatDestinationKey(destination)}`,
  isOwn: () =>
    sql<boolean>`(deliveries.kind = ${destination.kind} and deliveries.destination = ${destination.id})`,
  isUntriedSince: (time) => sql<boolean>`(tried_at is null or tried_at < ${time})`,
})
