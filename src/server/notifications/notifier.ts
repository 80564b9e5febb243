import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { day, minute } from '#domain/durations.ts'
import {
  type Destination,
  describeNotificationBreaker,
} from '#domain/notifications/notification.ts'
import { insertBreaker, makeBreakerStore } from '#server/delivery/breaker-store.ts'
import { type ClaimedItem, formatDestinationKey } from '#server/delivery/claim-deliveries.ts'
import { type CompletedAttempt, makeDeliveryBreaker } from '#server/delivery/delivery-attempts.ts'
import { type DeliveryWorker, makeDeliveryWorker } from '#server/delivery/delivery-worker.ts'
import { selectDestinations } from '#server/leads/enqueue-notifications.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import { makePollingLoop } from '#server/platform/polling-loop.ts'
import { type CallSettings, callDestination } from './call-destination.ts'
import { type ClaimedNotification, makeNotificationQueues } from './notification-queue.ts'

interface NotifierDependencies {
  readonly database: Pick<LeadDatabase, 'db' | 'run'>
  readonly log: Logger
  readonly failureLog: FailureLog
}

interface NotifierSettings extends CallSettings {
  /** The waits between attempts, in milliseconds, as for deliveries. */
  readonly retrySchedule: readonly number[]
  readonly lease: number
  /** How often to look for due notifications, in milliseconds. */
  readonly pollEvery: number
}

/** The maximum number of simultaneous calls to one destination from one process. */
const concurrency = 4

/** How often a destination's worker reads its breaker, in milliseconds. */
const readBreakerEvery = 5000

/** The notifier gives up a notification after this time, in milliseconds. */
const longestWait = 7 * day
const sweepEvery = minute

/**
 * Makes the loop that sends notifications. Each destination has its own worker and breaker, so a slow or failing
 * destination delays no other destination and no delivery.
 */
export function makeNotifier(
  { database, log, failureLog }: NotifierDependencies,
  settings: NotifierSettings,
) {
  const { db } = database
  const { clock, pollEvery } = settings
  const makeQueue = makeNotificationQueues(database)
  const workers = new Map<string, DeliveryWorker>()
  let sweepAt = Number.NEGATIVE_INFINITY

  const startWorker = async (destination: Destination) => {
    await insertBreaker(db, destination)
    const shared = {
      clock,
      log: log.child({ kind: destination.kind, destination: destination.id }),
      storeFailureLog: failureLog,
    }
    const worker = makeDeliveryWorker<ClaimedNotification>(
      {
        ...shared,
        queue: makeQueue(destination),
        breaker: makeDeliveryBreaker(
          {
            ...shared,
            store: makeBreakerStore(db, destination),
            subject: 'notifications',
            describe: describeNotificationBreaker,
          },
          readBreakerEvery,
        ),
        send: async (delivery, signal) => {
          const startedAt = clock()
          const sent = await callDestination(delivery.notification, settings, signal)
          return { delivery, startedAt, endedAt: clock(), ...sent }
        },
        logAttempt: logNotification,
      },
      { ...settings, concurrency, pollEvery: readBreakerEvery },
    )
    await worker.start()
    return worker
  }

  const wakeWorkers = async (): Promise<number> => {
    const now = clock()
    if (performance.now() >= sweepAt) {
      await endStaleNotifications(db, now)
      sweepAt = performance.now() + sweepEvery
    }
    const destinations = new Map(
      (await listDestinations(db, now)).map((one) => [formatDestinationKey(one), one]),
    )
    for (const [name, worker] of workers) {
      if (destinations.has(name)) continue
      workers.delete(name)
      await worker.stop(0)
    }
    for (const [name, destination] of destinations) {
      if (!destination.isDue) continue
      const worker = workers.get(name) ?? (await startWorker(destination))
      workers.set(name, worker)
      worker.wake()
    }
    return pollEvery
  }
  const loop = makePollingLoop(wakeWorkers, failureLog, pollEvery)
  return {
    start: loop.start,
    /** Waits at most `graceMs` milliseconds for running calls, and gives all leases back. */
    stop: async (graceMs: number) => {
      await loop.stop()
      await Promise.all([...workers.values()].map((worker) => worker.stop(graceMs)))
    },
  }
}

async function listDestinations(db: Kysely<StoreTables>, now: number) {
  const rows = await db
    .selectFrom(selectDestinations(db).as('destinations'))
    .select(['kind', 'id'])
    .select(
      sql<unknown>`exists (
        select 1 from notifications where notifications.kind = destinations.kind
          and destination = destinations.id and settled_at is null and next_at <= ${now})`.as(
        'is_due',
      ),
    )
    .execute()
  return rows.map(({ kind, id, is_due }) => ({ kind, id, isDue: Boolean(is_due) }))
}

/** Ends the notifications that have waited too long, and those whose destination was removed. */
export async function endStaleNotifications(db: Kysely<StoreTables>, now: number): Promise<void> {
  const waiting = () =>
    db
      .updateTable('notifications')
      .where('settled_at', 'is', null)
      .where((eb) => eb.or([eb('lease', 'is', null), eb('next_at', '<=', now)]))
  const end = { settled_as: 'dead', settled_at: now, lease: null, leased_until: null } as const
  await waiting()
    .set({ ...end, settled_because: 'expired' })
    .where('created_at', '<', now - longestWait)
    .execute()
  await waiting()
    .set({ ...end, settled_because: 'removed' })
    .where(
      sql<boolean>`not exists (
        select 1 from ${selectDestinations(db).as('destinations')}
        where destinations.kind = notifications.kind and destinations.id = notifications.destination)`,
    )
    .execute()
}

function logNotification(
  log: Logger,
  { delivery, outcome }: CompletedAttempt<ClaimedItem>,
  isDead: boolean,
): void {
  const about = { notification: delivery.id, ...outcome }
  log.info(about, 'notification attempted')
  if (isDead) log.warn(about, 'a notification is dead: every attempt failed')
}
