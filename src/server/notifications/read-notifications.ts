import type { Kysely, Selectable } from 'kysely'
import type { Lead } from '#domain/lead/lead.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { findLeads } from '#server/delivery/claim-deliveries.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Store = Kysely<StoreTables>
export type WebhookRow = Selectable<StoreTables['webhooks']>

/** A notification, with its lead and the current settings of its receiver. */
export interface Notification
  extends Pick<
    Selectable<StoreTables['notifications']>,
    'id' | 'lead_id' | 'event' | 'event_at' | 'event_reason'
  > {
  /** Null for a test. */
  readonly lead: Lead | null
  readonly receiver: Receiver
}

export interface Postback {
  /** The template of the address. */
  readonly url: string
  readonly payoutCents: number | null
}

export type Receiver = { readonly webhook: WebhookRow } | { readonly postback: Postback }

/**
 * Reads what calls to a destination need. @returns by id, without those that cannot be sent because the destination no
 * longer exists, or because the lead is erased or cannot be read
 */
export async function readNotifications(
  db: Store,
  destination: Destination,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Notification>> {
  const receiver = ids.length === 0 ? undefined : await findReceiver(db, destination)
  if (receiver === undefined) return new Map()
  const own = db.selectFrom('notifications').where('id', 'in', ids)
  const rows = await own.select(['id', 'lead_id', 'event', 'event_at', 'event_reason']).execute()
  const leads = await findLeads(db, rows)
  return new Map(
    rows.flatMap((row): [string, Notification][] => {
      const lead = row.lead_id === null ? null : leads.get(row.lead_id)
      if (lead === undefined || (lead !== null && 'parts' in lead)) return []
      return [[row.id, { ...row, lead, receiver }]]
    }),
  )
}

/** @returns undefined if the destination no longer exists */
export async function findReceiver(
  db: Store,
  { kind, id }: Destination,
): Promise<Receiver | undefined> {
  if (kind === 'webhook') {
    const rows = db.selectFrom('webhooks').selectAll().where('id', '=', id)
    const webhook = await rows.executeTakeFirst()
    return webhook && { webhook }
  }
  const affiliates = db.selectFrom('affiliates').select(['postback_url', 'payout_cents'])
  const { postback_url: url, payout_cents: payoutCents = null } =
    (await affiliates.where('id', '=', id).executeTakeFirst()) ?? {}
  return url ? { postback: { url, payoutCents } } : undefined
}
