import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { type ExpressionBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import { formatOutcome } from '#domain/delivery/outcome.ts'
import {
  type Destination,
  describeCallError,
  describeCallResult,
  type LeadEvent,
} from '#domain/notifications/notification.ts'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import {
  type BreakerStore,
  insertBreaker,
  makeBreakerStore,
  parseBreakerRow,
} from '#server/delivery/breaker-store.ts'
import { makeNotificationRow, selectDestinations } from '#server/delivery/enqueue-notifications.ts'
import { keepPause, namePauser } from '#server/delivery/pause-deliveries.ts'
import { notificationOutcomeColumns } from '#server/leads/lead-notifications.ts'
import {
  type AuditLog,
  type KeepChange,
  runAuditedTransaction,
  runWithAudit,
} from '#server/operators/audit.ts'
import { authorize, type OperatorContext } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import { findUrlFault } from '#server/platform/call/public-network.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type CallSettings, callDestination } from './call-destination.ts'
import { readDestinationDetails, toCallResultColumns } from './notification-queue.ts'
import { endStaleNotifications } from './notifier.ts'

export interface WebhookFields {
  readonly url: string
  readonly events: readonly LeadEvent[]
  readonly sendsPersonalData: boolean
}

export type WebhookActions = ReturnType<typeof makeWebhookActions>

/** A destination as the console and the command line show it. Times are epoch milliseconds. */
export type DestinationView = Awaited<ReturnType<typeof readDestinations>>[number]

type Store = OperatorContext['db']

/** How many of a destination's notifications the console shows. */
const shownNotifications = 50

/** Manages webhooks, and shows the state of webhooks and postbacks, for the console and the command line. */
export function makeWebhookActions({ db, audit, ...settings }: OperatorContext & CallSettings) {
  const { clock, allowsLocal } = settings
  const context = { db, audit, clock }
  const permission = 'change webhooks'
  /** Changes a webhook, or removes it without `after`. @returns false if the webhook does not exist */
  const replace = (
    actor: Actor,
    id: string,
    action: 'changed a webhook' | 'removed a webhook',
    after?: ReturnType<typeof toColumns>,
  ): Promise<boolean> =>
    runAuditedTransaction(
      context,
      { actor, permission, action, subject: id },
      async (store, at, keep) => {
        const before = await lockWebhook(store, id)
        if (before === undefined) return false
        if (after) await store.updateTable('webhooks').set(after).where('id', '=', id).execute()
        else {
          await store.deleteFrom('webhooks').where('id', '=', id).execute()
          await endStaleNotifications(store, at)
        }
        await keep({
          target: findHost((after ?? before).url),
          before: toAuditedValues(before),
          ...(after && { after: toAuditedValues(after) }),
        })
        return true
      },
      (isDone) => (isDone ? 'done' : undefined),
    )
  /** Makes a function that acts on a destination's breaker. The function resolves with false if nothing changes. */
  const makeBreakerAction =
    (
      action: AuditAction,
      mayChange: (state: BreakerState) => boolean,
      act: (breaker: BreakerStore, at: number, keep: KeepChange, name?: string) => Promise<boolean>,
    ) =>
    async (actor: Actor, destination: Destination): Promise<boolean> => {
      authorize(actor, permission, clock())
      await insertBreaker(db, destination)
      const breaker = makeBreakerStore(db, destination)
      if (!mayChange(await breaker.read())) return false
      const entry = { actor, permission, action, subject: destination.id } as const
      return runWithAudit(context, entry, async (at, keep) =>
        act(breaker, at, keep, await findName(db, destination)),
      )
    }
  return {
    /** Returns the error messages of the form, by field. An error about all events belongs to the first event. */
    findFaults: ({ url, events }: Pick<WebhookFields, 'url' | 'events'>) => {
      const fault = findUrlFault(url, allowsLocal)
      return {
        ...(fault && { url: fault }),
        ...(events.length === 0 && { accepted: 'Choose at least one event.' }),
      }
    },
    /** Adds a webhook. Resolves with the new webhook's id, and with its secret, which is shown only once. */
    add: (actor: Actor, fields: WebhookFields): Promise<{ id: string; secret: string }> => {
      const [id, secret] = [randomUUIDv7(), `whsec_${randomBytes(24).toString('base64')}`]
      const insert = async (store: Store, at: number, keep: KeepChange) => {
        const columns = { id, secret, created_at: at, ...toColumns(fields) }
        await store.insertInto('webhooks').values(columns).execute()
        await keep({ target: findHost(columns.url), after: toAuditedValues(columns) })
        return { id, secret }
      }
      const entry = { actor, permission, action: 'added a webhook', subject: id } as const
      return runAuditedTransaction(context, entry, insert, () => 'done')
    },
    edit: (actor: Actor, id: string, fields: WebhookFields): Promise<boolean> =>
      replace(actor, id, 'changed a webhook', toColumns(fields)),
    /** Removes a webhook; its waiting notifications are not sent. */
    remove: (actor: Actor, id: string): Promise<boolean> => replace(actor, id, 'removed a webhook'),
    /** Makes the next call while the breaker is open. @returns false if it is not, or a call is under way */
    tryNow: makeBreakerAction(
      'tried a destination',
      ({ trip }) => trip !== null,
      async (breaker, at, keep, target) => {
        await keep({ target })
        return breaker.tryNow({ at })
      },
    ),
    pause: makeBreakerAction(
      'paused notifications',
      ({ pause }) => pause === null,
      (breaker, at, keep, name) => {
        const onChange = keepPause(keep, { reason: '', since: at }, name)
        return breaker.pause({ reason: '', at, onChange })
      },
    ),
    resume: makeBreakerAction(
      'resumed notifications',
      ({ pause }) => pause !== null,
      (breaker, at, keep, name) =>
        breaker.resume({ reason: '', at, onChange: keepPause(keep, null, name) }),
    ),
    /** Makes a destination's failed notifications due again, and resolves with the number of these notifications. */
    sendAgain: (actor: Actor, destination: Destination): Promise<number> =>
      runAuditedTransaction(
        context,
        { actor, permission, action: 'sent notifications again', subject: destination.id },
        async (store, at, keep) => {
          await keep({ target: await findName(store, destination) })
          return makeFailedDue(store, destination, at)
        },
        (count) => (count === 0 ? undefined : String(count)),
      ),
    /** Sends a destination a test at once, and stores the test like any other notification. */
    test: (actor: Actor, destination: Destination) =>
      runWithAudit(
        context,
        { actor, permission, action: 'sent a test', subject: destination.id },
        async (_, keep) => {
          await keep({ target: await findName(db, destination) })
          return sendTest(db, destination, settings)
        },
        ({ answer }) => answer,
      ),
    list: async (actor: Actor): Promise<readonly DestinationView[]> => {
      authorize(actor, 'see webhooks', clock())
      return readDestinations({ db, audit }, actor)
    },
    /**
     * Resolves with a destination, its latest notifications, and whether some have failed; undefined if no destination has
     * the id.
     */
    find: async (actor: Actor, id: string) => {
      authorize(actor, 'see webhooks', clock())
      const [destination] = await readDestinations({ db, audit }, actor, id)
      if (destination === undefined) return undefined
      const latest = await db
        .selectFrom('notifications')
        .select(['id', 'lead_id as leadId', 'event', 'event_at as eventAt', 'next_at as nextAt'])
        .select([...notificationOutcomeColumns, 'reply'])
        .where('kind', '=', destination.kind)
        .where('destination', '=', id)
        .orderBy('created_at', 'desc')
        .limit(shownNotifications)
        .execute()
      const seesReplies = actor.kind === 'command line' || isAllowed(actor.role, 'reveal a lead')
      // A reply may quote the person's data.
      const notifications = latest.map((row) => ({ ...row, reply: seesReplies ? row.reply : null }))
      const failed = await db
        .selectFrom('notifications')
        .select('id')
        .where((eb) => isFailed(eb, destination))
        .limit(1)
        .executeTakeFirst()
      return { destination, notifications, hasFailed: failed !== undefined }
    },
  }
}

const lockWebhook = (store: Transaction<StoreTables>, id: string) =>
  store
    .selectFrom('webhooks')
    .select(['url', 'events', 'sends_personal_data'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Returns a webhook's values for the audit log, without the secret that signs its calls. */
const toAuditedValues = (columns: ReturnType<typeof toColumns>) => ({
  URL: columns.url,
  events: (JSON.parse(columns.events) as readonly LeadEvent[]).join(', '),
  'personal data': columns.sends_personal_data === 1 ? 'yes' : 'no',
})

/** Finds the name of a destination: a webhook's host, because the URL may contain a secret, or an affiliate's name. */
async function findName(db: Store, { kind, id }: Destination): Promise<string | undefined> {
  const destinations = db.selectFrom(selectDestinations(db).as('destinations')).select('name')
  const found = await destinations.where('kind', '=', kind).where('id', '=', id).executeTakeFirst()
  return found && (kind === 'webhook' ? findHost(found.name) : found.name)
}

const findHost = (url: string): string => new URL(url).host

const toColumns = ({ url, events, sendsPersonalData }: WebhookFields) => ({
  // The parsed URL is what the server calls: parsers remove line breaks, for example.
  url: new URL(url).href,
  events: JSON.stringify(events),
  sends_personal_data: sendsPersonalData ? 1 : 0,
})

async function sendTest(
  db: Store,
  destination: Destination,
  settings: CallSettings,
): Promise<{ readonly isAccepted: boolean; readonly answer: string }> {
  const startedAt = settings.clock()
  const row = makeNotificationRow(destination, {
    subject: `test/${randomUUIDv7()}`,
    lead_id: null,
    event: 'test',
    event_at: startedAt,
    event_reason: null,
  })
  const receiver = await readDestinationDetails(db, destination)
  const notification = receiver && { ...row, lead: null, receiver }
  const { outcome, response = null } = await callDestination(notification, settings)
  const isAccepted = outcome.name === 'delivered'
  await db
    .insertInto('notifications')
    .values({
      ...row,
      attempts: 1,
      settled_at: settings.clock(),
      settled_as: isAccepted ? 'delivered' : 'dead',
      ...toCallResultColumns(outcome, response, startedAt),
    })
    .execute()
  const code = 'code' in outcome ? outcome.code : undefined
  return { isAccepted, answer: code ? describeCallError(code) : formatOutcome(outcome) }
}

/** Selects a destination's failed notifications that an operator can send again. */
const isFailed = (eb: ExpressionBuilder<StoreTables, 'notifications'>, { kind, id }: Destination) =>
  eb.and([
    eb.and({ kind, destination: id, settled_as: 'dead' }),
    eb('lead_id', 'is not', null),
    eb.or([eb('settled_because', 'is', null), eb('settled_because', '=', 'expired')]),
  ])

/** Makes failed notifications due. The retry schedule and the seven days of each notification start again. */
async function makeFailedDue(db: Store, destination: Destination, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set((eb) => ({
      ...{ settled_as: null, settled_at: null, settled_because: null, waits_since: null },
      ...{ created_at: now, next_at: now, spared: eb.ref('attempts') },
    }))
    .where((eb) => isFailed(eb, destination))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Reads the state of all destinations, or only of the destination with the id. */
async function readDestinations(
  { db, audit }: { readonly db: Store; readonly audit: AuditLog },
  actor: Actor,
  id?: string,
) {
  const seesUrls = actor.kind === 'command line' || isAllowed(actor.role, 'change webhooks')
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
