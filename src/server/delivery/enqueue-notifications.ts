import { randomUUIDv7 } from 'node:crypto'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Destination, LeadEvent } from '#domain/notifications/notification.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** An event of leads. `at` is epoch milliseconds. */
export interface LeadNews {
  readonly event: LeadEvent
  readonly leadIds: readonly string[]
  readonly at: number
  /** The distributor's reason by lead id: a word or a phrase without personal data. */
  readonly reasons?: ReadonlyMap<string, string | null>
}

/** At eighteen parameters each, far below the databases' limits. */
const maxRows = 500

/**
 * Adds a notification for each webhook that wants the event, and for the postback of each lead's affiliate, in the
 * transaction that records the event. A destination receives each event of a lead once. Without webhooks and postbacks,
 * the function only looks for them.
 */
export async function enqueueNotifications(
  store: Transaction<StoreTables>,
  news: LeadNews,
): Promise<void> {
  if (news.leadIds.length === 0) return
  const destinations = await findDestinations(store, news)
  const rows = destinations.map(({ leadId, ...destination }) =>
    makeNotification(destination, {
      subject: `${leadId}/${news.event}`,
      lead_id: leadId,
      event: news.event,
      event_at: news.at,
      event_reason: news.reasons?.get(leadId) ?? null,
    }),
  )
  for (let from = 0; from < rows.length; from += maxRows) {
    await store
      .insertInto('notifications')
      .values(rows.slice(from, from + maxRows))
      .onConflict((conflict) => conflict.columns(['kind', 'destination', 'subject']).doNothing())
      .execute()
  }
}

type Row = Selectable<StoreTables['notifications']>

/** Makes the row of a notification that is due at once. */
export const makeNotification = (
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

async function findDestinations(
  store: Transaction<StoreTables>,
  { event, leadIds }: LeadNews,
): Promise<readonly (Destination & { readonly leadId: string })[]> {
  // A single statement looks for webhooks and postbacks, because every delivery waits for the result.
  const wanted = await store
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .union((eb) =>
      eb
        .selectFrom('affiliates')
        .select(sql<string>`''`.as('id'))
        .select(sql<string>`''`.as('events'))
        .where('postback_url', 'is not', null),
    )
    .execute()
  const hasPostbacks = wanted.some(({ id }) => id === '')
  const postbacks = hasPostbacks ? await findPostbacks(store, leadIds) : []
  return [
    ...wanted
      .filter(({ events }) => events.includes(`"${event}"`))
      .flatMap(({ id }) => leadIds.map((leadId) => ({ kind: 'webhook' as const, id, leadId }))),
    ...postbacks.map((postback) => ({ kind: 'postback' as const, ...postback })),
  ]
}

const findPostbacks = (store: Transaction<StoreTables>, leadIds: readonly string[]) =>
  store
    .selectFrom('lead_index')
    .innerJoin('affiliate_ids', 'affiliate_ids.affid', 'lead_index.affiliate')
    .innerJoin('affiliates', 'affiliates.id', 'affiliate_ids.affiliate_id')
    .select(['affiliates.id', 'lead_index.lead_id as leadId'])
    .where('lead_index.lead_id', 'in', leadIds)
    .where('affiliates.postback_url', 'is not', null)
    .execute()
