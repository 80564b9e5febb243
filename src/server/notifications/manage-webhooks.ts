import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { ExpressionBuilder, Transaction } from 'kysely'
import { formatOutcome } from '#domain/delivery/outcome.ts'
import {
  type Destination,
  describeCallError,
  type LeadEvent,
} from '#domain/notifications/notification.ts'
import { insertBreaker, makeBreakerStore } from '#server/delivery/breaker-store.ts'
import { keepPause } from '#server/delivery/pause-deliveries.ts'
import { makeNotificationRow } from '#server/leads/enqueue-notifications.ts'
import { notificationOutcomeColumns } from '#server/leads/lead-notifications.ts'
import { type KeepChange, runAuditedTransaction, runWithAudit } from '#server/operators/audit.ts'
import { authorize, isAllowedFor } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import { findUrlFault } from '#server/platform/call/public-network.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type CallSettings, callDestination } from './call-destination.ts'
import { readDestinationDetails, toCallResultColumns } from './notification-queue.ts'
import { endStaleNotifications } from './notifier.ts'
import {
  type DestinationView,
  findDestinationName,
  findHost,
  readDestinations,
  shownNotifications,
} from './read-destinations.ts'

export interface WebhookFields {
  readonly url: string
  readonly events: readonly LeadEvent[]
  readonly sendsPersonalData: boolean
}

export type WebhookActions = ReturnType<typeof makeWebhookActions>

type Store = OperatorContext['db']

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
      async (tx, at, keep) => {
        const before = await lockWebhook(tx, id)
        if (before === undefined) return false
        if (after) await tx.updateTable('webhooks').set(after).where('id', '=', id).execute()
        else {
          await tx.deleteFrom('webhooks').where('id', '=', id).execute()
          await endStaleNotifications(tx, at)
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
  const setPaused = async (actor: Actor, destination: Destination, isPaused: boolean) => {
    authorize(actor, permission, clock())
    await insertBreaker(db, destination)
    const breaker = makeBreakerStore(db, destination)
    if (((await breaker.read()).pause !== null) === isPaused) return false
    const action = isPaused ? 'paused notifications' : 'resumed notifications'
    const entry = { actor, permission, action, subject: destination.id } as const
    return runWithAudit(context, entry, async (at, keep) => {
      const pause = isPaused ? { reason: '', since: at } : null
      const onChange = keepPause(keep, pause, await findDestinationName(db, destination))
      return breaker[isPaused ? 'pause' : 'resume']({ reason: '', at, onChange })
    })
  }
  return {
    /** Returns the error messages of the form, by field. An error about all events belongs to the first event. */
    findFaults: ({ url, events }: Pick<WebhookFields, 'url' | 'events'>) => {
      const fault = findUrlFault(url, allowsLocal)
      return {
        ...(fault && { url: fault }),
        ...(events.length === 0 && { received: 'Choose at least one event.' }),
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
    /** Makes a destination's notifications wait. Resolves with false if they wait already. */
    pause: (actor: Actor, destination: Destination) => setPaused(actor, destination, true),
    resume: (actor: Actor, destination: Destination) => setPaused(actor, destination, false),
    /** Makes a destination's failed notifications due again, and resolves with the number of these notifications. */
    sendAgain: (actor: Actor, destination: Destination): Promise<number> =>
      runAuditedTransaction(
        context,
        { actor, permission, action: 'sent notifications again', subject: destination.id },
        async (tx, at, keep) => {
          await keep({ target: await findDestinationName(tx, destination) })
          return makeFailedDue(tx, destination, at)
        },
        (count) => (count === 0 ? undefined : String(count)),
      ),
    /** Sends a destination a test at once, and stores the test like any other notification. */
    test: (actor: Actor, destination: Destination) =>
      runWithAudit(
        context,
        { actor, permission, action: 'sent a test', subject: destination.id },
        async (_, keep) => {
          await keep({ target: await findDestinationName(db, destination) })
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
      const seesReplies = isAllowedFor(actor, 'reveal a lead')
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

const lockWebhook = (tx: Transaction<StoreTables>, id: string) =>
  tx
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
  const notification = receiver && {
    ...row,
    lead: null,
    signals: null,
    payoutCents: null,
    receiver,
  }
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
      settled_as: null,
      settled_at: null,
      settled_because: null,
      waits_since: null,
      created_at: now,
      next_at: now,
      spared: eb.ref('attempts'),
    }))
    .where((eb) => isFailed(eb, destination))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
