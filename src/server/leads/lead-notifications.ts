import type { Kysely } from 'kysely'
import type { LeadNotification } from '#domain/notifications/notification.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { affiliateOfLead } from './lead-origins.ts'

/** The columns that say how a notification ended. */
export const notificationOutcomeColumns = [
  'settled_as as settledAs',
  'settled_because as settledBecause',
  'attempts',
  'http_status as httpStatus',
  'error',
] as const

/** Lists the notifications about a lead, oldest first. */
export async function findLeadNotifications(
  db: Kysely<StoreTables>,
  leadId: string,
): Promise<readonly LeadNotification[]> {
  const rows = await db
    .selectFrom('notifications')
    .leftJoin('webhooks', 'webhooks.id', 'destination')
    .leftJoin('affiliates', 'affiliates.id', 'destination')
    .select([
      'kind',
      'destination as id',
      'event',
      'event_at as eventAt',
      ...notificationOutcomeColumns,
    ])
    .select(['webhooks.url', 'affiliates.name'])
    .where('lead_id', '=', leadId)
    .orderBy('event_at')
    .orderBy('notifications.id')
    .execute()
  return rows.map(({ url, ...row }) => ({
    ...row,
    // Only the host is shown, because a URL may contain a secret.
    name: row.name ?? (url === null ? 'a removed destination' : new URL(url).host),
  }))
}

/** Says why no postback tells the affiliate how a lead's delivery ended; undefined if a postback does. */
export async function explainMissingPostback(
  db: Kysely<StoreTables>,
  leadId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('lead_index')
    .leftJoin('affiliates', (join) => join.on('affiliates.id', '=', affiliateOfLead))
    .select(['affiliate', 'affiliates.id as affiliate_id', 'postback_url'])
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
