import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import {
  type Destination,
  type LeadEvent,
  listEventsFor,
  type NotificationKind,
  stoppedReason,
} from '#domain/notifications/notification.ts'
import { sliceRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { affiliateOfLead } from './lead-origins.ts'
import { isOfStoppedAffiliate } from './lead-status.ts'

interface LeadEventBatch {
  readonly event: LeadEvent
  readonly leadIds: readonly string[]
  readonly at: number
  /** Why each delivery ended, or why a received lead has none, by lead id, as a code without personal data. */
  readonly reasons?: ReadonlyMap<string, string | null>
}

/**
 * Adds the notifications of an event, in the transaction that records the event. Each webhook that wants the event gets
 * a notification, and so does the affiliate of each lead if the affiliate has a postback and `eventReceivers` allows the
 * event. No destination gets an event of a lead twice.
 */
export async function enqueueNotifications(
  tx: Transaction<StoreTables>,
  batch: LeadEventBatch,
): Promise<void> {
  const { event, leadIds, at, reasons } = batch
  if (leadIds.length === 0) return
  const rows = (await findDestinations(tx, batch)).map(({ lead_id, is_unpaid, ...destination }) =>
    makeNotificationRow(destination, {
      subject: `${lead_id}/${event}`,
      lead_id,
      event,
      event_at: at,
      event_reason: is_unpaid ? stoppedReason : (reasons?.get(lead_id) ?? null),
    }),
  )
  for (const slice of sliceRows(rows)) {
    await tx
      .insertInto('notifications')
      .values(slice)
      .onConflict((conflict) => conflict.columns(['kind', 'destination', 'subject']).doNothing())
      .execute()
  }
}

type Row = Selectable<StoreTables['notifications']>

/** Makes the row of a notification that is due at once. */
export const makeNotificationRow = (
  { kind, id: destination }: Destination,
  about: Pick<Row, 'subject' | 'lead_id' | 'event' | 'event_at' | 'event_reason'>,
) => ({
  id: randomUUIDv7(),
  kind,
  destination,
  ...about,
  created_at: about.event_at,
  next_at: about.event_at,
})

/** Selects all destinations: the webhooks, and the affiliates with a postback. */
export const selectDestinations = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('webhooks')
    .select([sql<NotificationKind>`'webhook'`.as('kind'), 'id', 'url as name'])
    .select(['events', 'sends_personal_data'])
    .unionAll(
      db
        .selectFrom('affiliates')
        .select([sql<NotificationKind>`'postback'`.as('kind'), 'id', 'name'])
        .select(sql.lit(JSON.stringify(listEventsFor('postback'))).as('events'))
        .select(sql<number>`0`.as('sends_personal_data'))
        .where('postback_url', 'is not', null),
    )

/** Finds the destinations for each lead in one statement, because the recording of attempts waits for the result. */
function findDestinations(tx: Transaction<StoreTables>, { event, leadIds }: LeadEventBatch) {
  const leads = tx.selectFrom('lead_index').where('lead_id', 'in', leadIds)
  const destinations = tx
    .selectFrom(selectDestinations(tx).as('all'))
    .selectAll()
    .where('events', 'like', `%"${event}"%`)
    .as('destinations')
  return leads
    .innerJoin(destinations, (join) => join.on('kind', '=', 'webhook'))
    .select(['kind', 'destinations.id', 'lead_id'])
    .select(sql<SqlBool>`1 = 0`.as('is_unpaid'))
    .unionAll(
      leads
        .innerJoin('leads', 'leads.id', 'lead_index.lead_id')
        .innerJoin(destinations, (join) =>
          join.on('destinations.id', '=', affiliateOfLead).on('kind', '=', 'postback'),
        )
        .select(['kind', 'destinations.id', 'lead_id', isOfStoppedAffiliate.as('is_unpaid')]),
    )
    .execute()
}
