import type { Kysely } from 'kysely'
import { describeCallError } from '#domain/notifications/describe-notification.ts'
import type { LeadNotification } from '#domain/notifications/notification.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** Lists who was told what about a lead, oldest first. */
export async function findLeadNotifications(
  db: Kysely<StoreTables>,
  leadId: string,
): Promise<readonly LeadNotification[]> {
  const rows = await db
    .selectFrom('notifications')
    .leftJoin('webhooks', 'webhooks.id', 'destination')
    .leftJoin('affiliates', 'affiliates.id', 'destination')
    .select(['kind', 'destination', 'event', 'event_at', 'settled_as', 'settled_because'])
    .select(['attempts', 'http_status', 'error', 'webhooks.url', 'affiliates.name'])
    .where('lead_id', '=', leadId)
    .orderBy('event_at')
    .orderBy('notifications.id')
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    id: row.destination,
    // A URL may contain a secret.
    name: row.name ?? (row.url === null ? 'a removed destination' : new URL(row.url).host),
    event: row.event,
    eventAt: row.event_at,
    settledAs: row.settled_as,
    settledBecause: row.settled_because,
    attempts: row.attempts,
    answer: describeAnswer(row),
  }))
}

/** Returns the HTTP status of the last answer, or why none came; null before the first attempt. */
export const describeAnswer = ({
  http_status,
  error,
}: {
  readonly http_status: number | null
  readonly error: string | null
}): string | null =>
  http_status === null ? error && describeCallError(error) : `HTTP ${http_status}`

/** Says why a lead whose delivery has ended caused no postback; undefined if it caused one. */
export async function findMissingPostback(
  db: Kysely<StoreTables>,
  leadId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('lead_index')
    .leftJoin('affiliate_ids', 'affid', 'affiliate')
    .leftJoin('affiliates', 'affiliates.id', 'affiliate_id')
    .select(['affiliate', 'affiliate_id', 'postback_url'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('notifications')
            .select('id')
            .where('kind', '=', 'postback')
            .whereRef('notifications.lead_id', '=', 'lead_index.lead_id'),
        )
        .as('was_queued'),
    )
    .where('lead_index.lead_id', '=', leadId)
    .executeTakeFirst()
  if (row === undefined || row.was_queued) return undefined
  if (row.affiliate === null) return 'the lead has no affiliate id'
  if (row.affiliate_id === null) return 'no affiliate has the lead’s affiliate id'
  if (row.postback_url === null) return 'the affiliate has no postback'
  return 'the affiliate had no postback then'
}
