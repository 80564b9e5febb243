import { type Kysely, type Selectable, sql } from 'kysely'
import {
  type Destination,
  describeCallResult,
  type LeadEvent,
} from '#domain/notifications/notification.ts'
import { parseBreakerRow } from '#server/delivery/breaker-store.ts'
import { namePauser } from '#server/delivery/pause-deliveries.ts'
import { selectDestinations } from '#server/leads/enqueue-notifications.ts'
import { isAllowedFor } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** A destination as the console and the command line show it. Times are epoch milliseconds. */
export type DestinationView = Awaited<ReturnType<typeof readDestinations>>[number]

/** How many of a destination's notifications the console shows. */
export const shownNotifications = 50

/** Reads the state of all destinations, or only of the destination with the id. */
export async function readDestinations(
  { db, audit }: Pick<OperatorContext, 'db' | 'audit'>,
  actor: Actor,
  id?: string,
) {
  const seesUrls = isAllowedFor(actor, 'change webhooks')
  const own = sql`notifications where notifications.kind = destinations.kind
    and notifications.destination = destinations.id`
  const rows = await db
    .selectFrom(selectDestinations(db).as('destinations'))
    .leftJoin('notification_gates as gates', (join) =>
      join.on('gates.id', '=', sql<string>`destinations.kind || '/' || destinations.id`),
    )
    .leftJoin('notifications as newest', (join) =>
      join.on(
        'newest.id',
        '=',
        sql<string>`(select id from
          (select id, tried_at from ${own} order by created_at desc limit ${shownNotifications}) as latest
          where tried_at is not null order by tried_at desc limit 1)`,
      ),
    )
    .selectAll('gates')
    .select(['destinations.kind', 'destinations.id', 'name', 'events', 'sends_personal_data'])
    .select(['newest.tried_at', 'newest.settled_as', 'newest.error'])
    .select('newest.http_status as httpStatus')
    .select(sql<number>`(select count(*) from ${own} and settled_at is null)`.as('waiting'))
    .select(
      sql<number | null>`(select max(settled_at) from ${own} and settled_as = 'delivered')`.as(
        'sent_at',
      ),
    )
    .$if(id !== undefined, (query) => query.where('destinations.id', '=', id ?? ''))
    .orderBy('destinations.kind', 'desc')
    .orderBy(sql`case when destinations.kind = 'webhook' then destinations.id else name end`)
    .execute()
  return Promise.all(
    rows.map(async (row) => ({
      kind: row.kind,
      id: row.id,
      /**
       * The affiliate's name or the webhook's URL. Operators who may not change webhooks see only the URL's host, because
       * the URL may contain a secret.
       */
      name: row.kind === 'postback' || seesUrls ? row.name : findHost(row.name),
      events: JSON.parse(row.events) as readonly LeadEvent[],
      sendsPersonalData: row.sends_personal_data === 1,
      waiting: Number(row.waiting),
      lastSentAt: row.sent_at === null ? null : Number(row.sent_at),
      /** The latest failure among recent notifications; null if the latest attempt succeeded. */
      lastFailure:
        row.tried_at === null || row.settled_as === 'delivered'
          ? null
          : { at: row.tried_at, reason: describeCallResult(row) ?? 'no answer' },
      breaker: await namePauser(
        audit,
        actor,
        // A destination without a breaker row has null in the breaker's columns, which means a closed breaker.
        parseBreakerRow(row as Selectable<StoreTables['notification_gates']>),
        row.id,
      ),
    })),
  )
}

/** Finds the name of a destination: a webhook's host, because the URL may contain a secret, or an affiliate's name. */
export async function findDestinationName(
  db: Kysely<StoreTables>,
  { kind, id }: Destination,
): Promise<string | undefined> {
  const destinations = db.selectFrom(selectDestinations(db).as('destinations')).select('name')
  const found = await destinations.where('kind', '=', kind).where('id', '=', id).executeTakeFirst()
  return found && (kind === 'webhook' ? findHost(found.name) : found.name)
}

export const findHost = (url: string): string => new URL(url).host
