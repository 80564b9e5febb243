import type { Logger } from 'pino'
import { Gauge, Registry } from 'prom-client'
import { addConsoleMetrics } from '#console/console-metrics.ts'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { DeliveryBacklog } from '#server/delivery/delivery-counts.ts'
import { addDeliveryMetrics } from '#server/delivery/delivery-metrics.ts'
import { addIntakeMetrics } from '#server/enquiries/intake-metrics.ts'
import type { LeadReader } from '#server/leads/read-leads.ts'
import {
  type LookupOutcome,
  type LookupService,
  lookupOutcomes,
  lookupServices,
} from '#server/lookups/lookup-service.ts'
import type { StoreClock } from '#server/platform/database/store-clock.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import {
  addHttpMetrics,
  collectProcessMetrics,
  makeCounter,
} from '#server/platform/observability/metrics.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'

/** Makes the metrics at `/metrics`. No label ever contains personal data. */
export function makeMetrics(dependencies: StoredMetricsDependencies) {
  const registry = new Registry()
  const thirdPartyCalls = makeCounter({
    name: 'third_party_calls_total',
    help: 'Calls by this process to geocoding, address-validation and ip-lookup, including retries, by outcome; delivery_attempts_total has calls to the distributor',
    registry,
    all: lookupServices.flatMap((service) =>
      lookupOutcomes.map((outcome) => ({ service, outcome })),
    ),
  })
  addStoredMetrics(registry, dependencies)
  return {
    ...addIntakeMetrics(registry),
    ...addDeliveryMetrics(registry),
    ...addHttpMetrics(registry),
    ...addRetentionMetrics(registry),
    ...addConsoleMetrics(registry),
    registry: Registry.merge([registry, collectProcessMetrics()]),
    countThirdPartyCall: (service: LookupService, outcome: LookupOutcome) =>
      thirdPartyCalls.inc({ service, outcome }),
  }
}

interface StoredMetricsDependencies {
  readonly leadReader: Pick<LeadReader, 'stats'>
  readonly breaker: { readonly read: () => Promise<BreakerState> }
  readonly backlog: Pick<DeliveryBacklog, 'firstDue'>
  readonly storeClock: Pick<StoreClock, 'aheadMs'>
  /** Rejects if the store cannot be reached, is not migrated or refuses writes. */
  readonly checkStore: () => Promise<void>
  readonly clock: () => number
  readonly log: Logger
}

/** Counts are cached for this many times as long as counting took; counting a million leads takes 0.3 s. */
const statsCacheFactor = 100

/**
 * Adds gauges of the store's content, which are equal in all processes on the store. If a value cannot be read, its
 * gauge is left out, because an old value would be wrong. The process's own metrics are still served.
 */
export function addStoredMetrics(
  registry: Registry,
  dependencies: StoredMetricsDependencies,
): void {
  const { leadReader, backlog, storeClock, checkStore, clock, log } = dependencies
  const stats = makeTimedCache(
    () => leadReader.stats(clock()),
    makeProportionalLifetime(statsCacheFactor),
  )
  // Each scrape reads these values again. A scrape waits for at most 8 s; while the store is silent, scrapes share one
  // read.
  const breaker = makeTimedCache(() => dependencies.breaker.read())
  const firstDue = makeTimedCache(() => backlog.firstDue())
  const check = makeTimedCache(checkStore)
  const failureLog = makeFailureLog(log, {
    begins: 'the store’s content cannot be read for /metrics',
    ends: 'the store’s content can be read for /metrics again',
  })
  const failed = (error: unknown) => {
    failureLog.failed(error)
    return undefined
  }
  /** @param label the label whose values are the keys of the record that `read` returns */
  const gauge = (
    name: string,
    help: string,
    read: () => Promise<number | Readonly<Record<string, number>>>,
    label?: string,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        if (label === undefined) this.remove()
        else this.reset()
        const found = (await read().catch(failed)) ?? {}
        if (typeof found === 'number') this.set(found)
        else
          for (const [key, value] of Object.entries(found)) this.set({ [label ?? '']: key }, value)
      },
    })

  gauge(
    'store_up',
    '1 if this process can store leads, as at /readyz; 0 if the store is unreachable, full, read-only or not migrated',
    () =>
      check().then(
        () => 1,
        () => 0,
      ),
  )
  gauge(
    'clock_ahead_seconds',
    'How far this machine’s clock is ahead of PostgreSQL’s, whose time counts; negative if it is behind; 0 on SQLite',
    async () => storeClock.aheadMs() / 1000,
  )
  gauge('leads', 'Leads in the store, by status', async () => (await stats()).byStatus, 'status')
  gauge(
    'leads_erased',
    'Leads with erased personal data, by reason: request or retention',
    async () => (await stats()).erasedBy,
    'by',
  )
  gauge('delivery_backlog', 'Open deliveries: pending and leased', async () => {
    const { pending, leased } = (await stats()).byStatus
    return pending + leased
  })
  gauge(
    'delivery_held',
    'Pending deliveries that a cap holds until a later time',
    async () => (await stats()).held,
  )
  gauge(
    'delivery_oldest_pending_seconds',
    'Age of the oldest pending delivery that no cap holds; 0 without one',
    async () => ((await stats()).oldestPendingAgeMs ?? 0) / 1000,
  )
  gauge(
    'delivery_longest_due_seconds',
    'How long the delivery with the earliest due time has been due; 0 if none is due',
    async () => {
      const now = clock()
      return Math.max(0, now - ((await firstDue()) ?? now)) / 1000
    },
  )
  gauge(
    'delivery_possible_duplicates',
    'Attempts that may have sent the distributor a lead that it already had',
    async () => (await stats()).duplicatesPossiblySent,
  )
  gauge(
    'delivery_rejected_by_cap',
    'Leads rejected because the monthly cap was reached: retry them next month',
    async () => (await stats()).rejectedByCap,
  )
  gauge(
    'delivery_unreadable',
    'Dead leads that were not sent because their stored data cannot be read',
    async () => (await stats()).unreadable,
  )
  gauge(
    'delivery_paused',
    '1 while deliveries are paused, by an operator or by the distributor’s refusal',
    async () => {
      const { pause, trip } = await breaker()
      return { operator: pause === null ? 0 : 1, refusal: trip?.cause === 'refused' ? 1 : 0 }
    },
    'by',
  )
  gauge(
    'delivery_outage',
    '1 while the distributor does not answer or violates its contract, and only probes are sent',
    async () => ((await breaker()).trip?.cause === 'outage' ? 1 : 0),
  )
}

/** Adds a metric that shows when this process erased expired leads, as the privacy policy promises. */
function addRetentionMetrics(registry: Registry) {
  const endedAt = new Gauge({
    name: 'retention_ended_timestamp_seconds',
    help: 'When this process last erased all expired leads, in seconds since 1970; 0 before the first time; absent without RETENTION_DAYS',
    registers: [registry],
  })
  endedAt.remove()
  return {
    retentionBegins: () => endedAt.set(0),
    retentionEnded: () => endedAt.setToCurrentTime(),
  }
}
