import { makeAlertLoop } from '#server/alerts/alert-loop.ts'
import { findAlerts } from '#server/alerts/alerts.ts'
import { makeDeliveryBreaker, makeLeadSender } from '#server/delivery/delivery-attempts.ts'
import { makeDeliveryWorker } from '#server/delivery/delivery-worker.ts'
import { makeExpiredLeadEraser, makeRetentionLoop } from '#server/leads/erase-expired-leads.ts'
import { makeNotifier } from '#server/notifications/notifier.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import type { PollingLoop } from '#server/platform/polling-loop.ts'
import type { SharedDependencies } from './shared-dependencies.ts'

/** How often a worker checks the breaker and, if nothing wakes it, the due deliveries, in milliseconds. */
const pollIntervalMs = 500

/** How often a worker looks for due notifications, in milliseconds. */
const notificationPollMs = 1000

/** Makes what a worker runs: deliveries, notifications, and retention and alerts if they are configured. */
export function makeWorkerRole({
  settings,
  store,
  thirdParties,
  metrics,
  log,
  clock,
  failureLogOf,
  readOverview,
}: SharedDependencies) {
  const { campaign, delivery, fallbackIp } = settings
  const { retentionDays } = settings.names
  const storeFailureLog = makeFailureLog(log, {
    begins:
      'the store cannot be used for deliveries: deliveries wait, and answers are recorded later',
    ends: 'the store can be used for deliveries again',
  })
  const breaker = makeDeliveryBreaker(
    {
      store: store.breaker,
      clock,
      log,
      storeFailureLog,
      onRefusedAlone: (leadIds) => {
        metrics.countRefusedAlone(leadIds)
        log.warn(
          { leadIds },
          'the distributor refuses these leads and accepts others: each lead follows its own retry schedule',
        )
      },
    },
    pollIntervalMs,
  )
  const worker = makeDeliveryWorker(
    {
      queue: store.queue,
      breaker,
      send: makeLeadSender({ ...thirdParties, clock, campaign, fallbackIp }),
      clock,
      log,
      storeFailureLog,
      onAttempt: metrics.countAttempt,
    },
    { ...delivery, pollEvery: pollIntervalMs },
  )
  const notifier = makeNotifier(
    { database: store.database, log, failureLog: failureLogOf('notifications') },
    { ...delivery, ...thirdParties.notificationCalls, clock, pollEvery: notificationPollMs },
  )
  const loops: Pick<PollingLoop, 'start' | 'stop'>[] = []
  if (retentionDays !== undefined) {
    const retention = makeExpiredLeadEraser(store.database)
    const onEnded = metrics.retentionEnded
    loops.push(makeRetentionLoop({ retention, days: retentionDays, clock, log, onEnded }))
  }
  const { alertWebhookUrl: url, alertWebhookFormat: format } = settings
  if (url !== undefined) {
    loops.push(
      makeAlertLoop({
        db: store.database.db,
        findAlerts: async () => findAlerts((await readOverview()).data, clock()),
        webhook: { url, format },
        school: settings.names.school,
        consoleOrigin: settings.console.origin,
        clock,
        zone: delivery.zone,
        log,
        failureLog: failureLogOf('alerts'),
      }),
    )
  }
  return {
    start: () => {
      void worker.start()
      notifier.start()
      if (retentionDays !== undefined) metrics.retentionBegins()
      for (const loop of loops) loop.start()
    },
    /** Wakes the worker, because a lead may be due. */
    wake: () => worker.wake(),
    /** Finishes running deliveries, and returns the leases of the others. */
    stop: (graceMs: number) =>
      Promise.all([
        worker.stop(graceMs),
        notifier.stop(graceMs),
        ...loops.map((loop) => loop.stop()),
      ]),
  }
}
