import type { Logger } from 'pino'
import { Gauge, Registry } from 'prom-client'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import { addConsoleMetrics } from '#server/console-pages/console-metrics.ts'
import type { DeliveryBacklog } from '#server/delivery/delivery-backlog.ts'
import { addDeliveryMetrics } from '#server/delivery/delivery-metrics.ts'
import { addIntakeMetrics } from '#server/enquiries/intake-metrics.ts'
import type { LeadArchive } from '#server/leads/read-leads.ts'
import {
  type LookupOutcome,
  type LookupService,
  lookupOutcomes,
  lookupServices,
} from '#server/platform/call/look-up.ts'
import { FailureLog } from '#server/platform/observability/failure-log.ts'
import {
  addHttpMetrics,
  counterFromZero,
  processMetrics,
} from '#server/platform/observability/metrics.ts'
import { timedCache } from '#server/platform/timed-cache.ts'

/** Makes the metrics at `/metrics`. No label ever holds personal data. */
export function makeMetrics(ports: StoredMetricsParts) {
  const registry = new Registry()
  const thirdPartyCalls = counterFromZero({
    name: 'third_party_calls_total',
    help: 'Calls by this process of geocoding, address-validation and ip-lookup, second tries too, by what came of them; the distributor is in delivery_attempts_total',
    registry,
    all: lookupServices.flatMap((service) =>
      lookupOutcomes.map((outcome) => ({ service, outcome })),
    ),
  })
  addStoredMetrics(registry, ports)
  const count = {
    ...addIntakeMetrics(registry),
    ...addDeliveryMetrics(registry),
    ...addHttpMetrics(registry),
    ...addRetentionMetrics(registry),
    ...addConsoleMetrics(registry),
  }
  return {
    ...count,
    registry: Registry.merge([registry, processMetrics()]),
    countThirdPartyCall: (service: LookupService, outcome: LookupOutcome) =>
      thirdPartyCalls.inc({ service, outcome }),
  }
}

export type Metrics = ReturnType<typeof makeMetrics>

export interface StoredMetricsParts {
  readonly archive: Pick<LeadArchive, 'stats'>
  readonly readBreaker: () => Promise<BreakerState>
  readonly backlog: Pick<DeliveryBacklog, 'firstDue'>
  /** Rejects and logs if the store cannot be reached, is not migrated or refuses writes. */
  readonly checkStore: () => Promise<void>
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
}

/** Counting a million leads takes 0.3 s. This factor limits it to a hundredth of the store's time. */
const statsCacheFactor = 100

/**
 * Adds gauges of the store's content, which are equal in all processes on the store. If a value cannot be read, its
 * gauge is left out, because an old value would be wrong. The process's own metrics are still served.
 */
export function addStoredMetrics(registry: Registry, ports: StoredMetricsParts): void {
  const { archive, readBreaker, backlog, checkStore, clock, log } = ports
  const registers = [registry]
  const stats = timedCache(() => archive.stats(clock()), { times: statsCacheFactor })
  const breaker = timedCache(readBreaker, { times: 0 })
  const firstDue = timedCache(() => backlog.firstDue(), { times: 0 })
  const check = timedCache(checkStore, { times: 0 })
  const failureLog = new FailureLog(log, {
    begins: 'what is stored cannot be read for /metrics, though the store can be used',
    ends: 'what is stored can be read for /metrics again',
  })
  const gauge = (name: string, help: string, labelNames: string[], read: () => Promise<Readings>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const readings = await read().catch((error: unknown) => {
          check().then(
            () => failureLog.failed(error),
            () => undefined,
          )
          return undefined
        })
        // After a reset, a gauge without labels would report 0.
        if (labelNames.length === 0) this.remove()
        else this.reset()
        if (readings === undefined) return
        failureLog.succeeded()
        for (const [labels, value] of readings) this.set(labels, value)
      },
    })

  gauge(
    'store_up',
    '1 where this process can store leads, as at /readyz; 0 where the store is away, full, read-only or not migrated',
    [],
    () =>
      check().then(
        () => [[{}, 1]],
        () => [[{}, 0]],
      ),
  )
  gauge('leads', 'Leads in the store, by status', ['status'], async () =>
    Object.entries((await stats()).byStatus).map(([status, count]) => [{ status }, count]),
  )
  gauge(
    'leads_erased',
    'Leads whose person’s data are erased, by what for: request or retention',
    ['by'],
    async () => Object.entries((await stats()).erasedBy).map(([by, count]) => [{ by }, count]),
  )
  gauge('delivery_backlog', 'Deliveries that are owed: pending and leased', [], async () => {
    const { pending, leased } = (await stats()).byStatus
    return [[{}, pending + leased]]
  })
  gauge(
    'delivery_oldest_pending_seconds',
    'Age of the oldest delivery that waits; 0 where none does',
    [],
    async () => [[{}, ((await stats()).oldestPendingAgeMs ?? 0) / 1000]],
  )
  gauge(
    'delivery_longest_due_seconds',
    'How long the delivery that is due the longest has been so; 0 where none is',
    [],
    async () => {
      const since = await firstDue()
      return [[{}, since === undefined ? 0 : Math.max(0, clock() - since) / 1000]]
    },
  )
  gauge(
    'delivery_possible_duplicates',
    'Attempts that may have brought the distributor a lead which it had already',
    [],
    async () => [[{}, (await stats()).duplicatesPossiblySent]],
  )
  gauge(
    'delivery_rejected_by_cap',
    'Leads rejected because the month’s offers were used up: worth a retry next month',
    [],
    async () => [[{}, (await stats()).rejectedByCap]],
  )
  gauge(
    'delivery_unreadable',
    'Dead leads that were not sent, as what is stored of them cannot be read',
    [],
    async () => [[{}, (await stats()).unreadable]],
  )
  gauge(
    'delivery_paused',
    '1 while deliveries are paused, by whom: an operator, or the distributor, which refuses us or what was tried',
    ['by'],
    async () => {
      const { pause, trip } = await breaker()
      return [
        [{ by: 'operator' }, pause === null ? 0 : 1],
        [{ by: 'refusal' }, trip?.cause === 'refused' ? 1 : 0],
      ]
    },
  )
  gauge(
    'delivery_outage',
    '1 while the distributor does not answer, or not with what its contract says, and probes alone go out',
    [],
    async () => [[{}, (await breaker()).trip?.cause === 'outage' ? 1 : 0]],
  )
}

type Readings = readonly (readonly [Record<string, string>, number])[]

/** Shows whether retention works as the privacy policy promises. Absent if no retention runs. */
function addRetentionMetrics(registry: Registry) {
  const endedAt = new Gauge({
    name: 'retention_ended_timestamp_seconds',
    help: 'When this process last ended all that is over its time, in seconds since 1970; 0 until it first has; none where RETENTION_DAYS is not set',
    registers: [registry],
  })
  endedAt.remove()
  return {
    retentionBegins: () => endedAt.set(0),
    retentionEnded: () => endedAt.setToCurrentTime(),
  }
}
