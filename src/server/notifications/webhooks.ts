import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Selectable } from 'kysely'
import { closedBreaker } from '#domain/delivery/breaker.ts'
import { formatOutcome } from '#domain/delivery/outcome.ts'
import { describeCallError } from '#domain/notifications/describe-notification.ts'
import {
  type Destination,
  type DestinationView,
  type LeadEvent,
  leadEvents,
  type NotificationView,
} from '#domain/notifications/notification.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { addBreaker, makeBreakerStore, toBreakerState } from '#server/delivery/breaker-store.ts'
import { makeNotification } from '#server/delivery/enqueue-notifications.ts'
import { formatGateId } from '#server/delivery/outbox.ts'
import { describeAnswer } from '#server/leads/lead-notifications.ts'
import { type AuditEntry, type AuditLog, runWithAudit } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import { findUrlFault } from '#server/platform/call/public-network.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { inTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type CallSettings, callDestination } from './call-destination.ts'
import { toAnswerColumns } from './notification-queue.ts'
import { sweepNotifications } from './notifier.ts'

export interface WebhookFields {
  readonly url: string
  readonly events: readonly LeadEvent[]
  readonly sendsPersonalData: boolean
}

/** The error messages of a webhook's fields; empty if every field is right. */
export type WebhookFaults = Readonly<Partial<Record<'url' | 'events', string>>>

interface WebhookDependencies extends CallSettings {
  readonly db: LeadDatabase['db']
  readonly audit: AuditLog
}

export type Webhooks = ReturnType<typeof makeWebhooks>

/** The number of a destination's notifications that the console shows. */
const shownNotifications = 50

/** Manages webhooks, and shows the state of every destination, on the console and on the command line. */
export function makeWebhooks({ db, audit, ...settings }: WebhookDependencies) {
  const { clock, allowsLocal } = settings
  const change = <Result>(
    actor: Actor,
    entry: AuditEntry,
    act: () => Promise<Result>,
    inWords?: (result: Result) => string,
  ): Promise<Result> => {
    const at = clock()
    authorize(actor, 'change webhooks', at)
    return runWithAudit(audit, { actor, at, ...entry }, act, inWords)
  }
  const breakerOf = async (destination: Destination) => {
    await addBreaker(db, destination)
    return makeBreakerStore(db, destination)
  }
  return {
    findFaults: ({ url, events }: Pick<WebhookFields, 'url' | 'events'>): WebhookFaults => {
      const fault = findUrlFault(url, allowsLocal)
      return {
        ...(fault && { url: fault }),
        ...(events.length === 0 && { events: 'Choose at least one event.' }),
      }
    },
    /** Resolves with the secret, which is shown once. */
    add: (actor: Actor, fields: WebhookFields): Promise<{ id: string; secret: string }> => {
      const [id, secret] = [randomUUIDv7(), `whsec_${randomBytes(24).toString('base64')}`]
      const reason = describeFields(fields)
      return change(actor, { action: 'added a webhook', subject: id, reason }, async () => {
        const columns = { id, secret, created_at: clock(), ...toColumns(fields) }
        await db.insertInto('webhooks').values(columns).execute()
        return { id, secret }
      })
    },
    /** @returns false if the webhook does not exist */
    edit: (actor: Actor, id: string, fields: WebhookFields): Promise<boolean> => {
      const reason = describeFields(fields)
      return change(actor, { action: 'changed a webhook', subject: id, reason }, async () => {
        const update = db.updateTable('webhooks').set(toColumns(fields)).where('id', '=', id)
        return (await update.executeTakeFirst()).numUpdatedRows > 0n
      })
    },
    /** Removes a webhook; its waiting notifications are not sent. @returns false if it does not exist */
    remove: (actor: Actor, id: string): Promise<boolean> =>
      change(actor, { action: 'removed a webhook', subject: id }, () =>
        inTransaction(db, async (store) => {
          const removal = store.deleteFrom('webhooks').where('id', '=', id)
          const { numDeletedRows } = await removal.executeTakeFirst()
          await sweepNotifications(store, clock())
          return numDeletedRows > 0n
        }),
      ),
    pause: (actor: Actor, destination: Destination) =>
      change(actor, { action: 'paused notifications', subject: destination.id }, async () =>
        (await breakerOf(destination)).pause({ reason: '', at: clock() }),
      ),
    resume: (actor: Actor, destination: Destination) =>
      change(actor, { action: 'resumed notifications', subject: destination.id }, async () =>
        (await breakerOf(destination)).resume({ reason: '', at: clock() }),
      ),
    /** Calls a destination at once with a test, which it records like any other notification. */
    test: (actor: Actor, destination: Destination) =>
      change(
        actor,
        { action: 'sent a test', subject: destination.id },
        () => sendTest(db, destination, settings),
        ({ answer }) => answer,
      ),
    list: async (actor: Actor): Promise<readonly DestinationView[]> => {
      authorize(actor, 'see webhooks', clock())
      const destinations = await findAllDestinations(db, actor)
      return Promise.all(
        destinations.map(async (one) => viewDestination(db, one, await selectLatest(db, one))),
      )
    },
    /** Resolves with a destination and its latest notifications; undefined if there is none with the id. */
    find: async (actor: Actor, id: string) => {
      authorize(actor, 'see webhooks', clock())
      const found = (await findAllDestinations(db, actor)).find((one) => one.id === id)
      if (found === undefined) return undefined
      const latest = await selectLatest(db, found)
      const seesReplies = actor.kind === 'command line' || isAllowed(actor.role, 'reveal a lead')
      return {
        destination: await viewDestination(db, found, latest),
        notifications: latest.map((row) => toView(row, seesReplies)),
      }
    },
  }
}

const describeFields = ({ events, sendsPersonalData }: WebhookFields): string =>
  `${events.join(', ')}; ${sendsPersonalData ? 'with' : 'without'} personal data`

const toColumns = ({ url, events, sendsPersonalData }: WebhookFields) => ({
  url,
  events: JSON.stringify(events),
  sends_personal_data: sendsPersonalData ? 1 : 0,
})

type NotificationRow = Selectable<StoreTables['notifications']>

async function sendTest(
  db: LeadDatabase['db'],
  destination: Destination,
  settings: CallSettings,
): Promise<{ readonly isAccepted: boolean; readonly answer: string }> {
  const startedAt = settings.clock()
  const row = makeNotification(destination, {
    subject: `test/${randomUUIDv7()}`,
    lead_id: null,
    event: 'test',
    event_at: startedAt,
    event_reason: null,
  })
  const { outcome, response = null } = await callDestination(db, destination, row, settings)
  const isAccepted = outcome.name === 'delivered'
  await db
    .insertInto('notifications')
    .values({
      ...row,
      attempts: 1,
      tried_at: startedAt,
      settled_at: settings.clock(),
      settled_as: isAccepted ? 'delivered' : 'dead',
      ...toAnswerColumns(outcome, response),
    })
    .execute()
  const code = 'code' in outcome ? outcome.code : undefined
  return { isAccepted, answer: code ? describeCallError(code) : formatOutcome(outcome) }
}

type ListedDestination = Pick<
  DestinationView,
  'kind' | 'id' | 'name' | 'events' | 'sendsPersonalData'
>

async function findAllDestinations(
  db: LeadDatabase['db'],
  actor: Actor,
): Promise<readonly ListedDestination[]> {
  const seesUrls = actor.kind === 'command line' || isAllowed(actor.role, 'change webhooks')
  const webhooks = await db.selectFrom('webhooks').selectAll().orderBy('id').execute()
  const affiliates = await db
    .selectFrom('affiliates')
    .select(['id', 'name'])
    .where('postback_url', 'is not', null)
    .orderBy('name')
    .execute()
  return [
    ...webhooks.map(({ id, url, events, sends_personal_data }) => ({
      kind: 'webhook' as const,
      id,
      // A URL may contain a secret.
      name: seesUrls ? url : new URL(url).host,
      events: JSON.parse(events) as readonly LeadEvent[],
      sendsPersonalData: sends_personal_data === 1,
    })),
    ...affiliates.map((affiliate) => ({
      kind: 'postback' as const,
      ...affiliate,
      events: leadEvents,
      sendsPersonalData: false,
    })),
  ]
}

const selectLatest = (db: LeadDatabase['db'], { kind, id }: Destination) =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('kind', '=', kind)
    .where('destination', '=', id)
    .orderBy('created_at', 'desc')
    .limit(shownNotifications)
    .execute()

async function viewDestination(
  db: LeadDatabase['db'],
  listed: ListedDestination,
  latest: readonly NotificationRow[],
): Promise<DestinationView> {
  const own = db
    .selectFrom('notifications')
    .where('kind', '=', listed.kind)
    .where('destination', '=', listed.id)
  const count = own.select((eb) => eb.fn.countAll<number>().as('n')).where('settled_at', 'is', null)
  const { n } = await count.executeTakeFirstOrThrow()
  const last = await own
    .select((eb) => eb.fn.max('settled_at').as('at'))
    .where('settled_as', '=', 'delivered')
    .executeTakeFirst()
  const gate = await db
    .selectFrom('notification_gates')
    .selectAll()
    .where('id', '=', formatGateId(listed))
    .executeTakeFirst()
  const tried = latest.flatMap((row) => (row.tried_at === null ? [] : { ...row, at: row.tried_at }))
  const newest = tried.toSorted((a, b) => b.at - a.at)[0]
  return {
    ...listed,
    waiting: Number(n),
    lastSentAt: last?.at ?? null,
    lastFailure:
      newest === undefined || newest.settled_as === 'delivered'
        ? null
        : { at: newest.at, reason: describeAnswer(newest) ?? 'no answer' },
    breaker: gate === undefined ? closedBreaker : toBreakerState(gate),
  }
}

/** @param seesReply false hides the reply */
const toView = (row: NotificationRow, seesReply: boolean): NotificationView => ({
  id: row.id,
  leadId: row.lead_id,
  event: row.event,
  eventAt: row.event_at,
  triedAt: row.tried_at,
  nextAt: row.settled_at === null ? row.next_at : null,
  settledAs: row.settled_as,
  settledBecause: row.settled_because,
  attempts: row.attempts,
  answer: describeAnswer(row),
  reply: seesReply ? row.reply : null,
})
