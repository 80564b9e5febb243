import { Gauge, type Registry } from 'prom-client'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { LeadArchive } from './use-cases/read-leads.ts'

export interface StoredMetricsPorts {
  readonly archive: Pick<LeadArchive, 'stats'>
  readonly readBreaker: () => Promise<BreakerState>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** A count holds a hundred times as long as it took, but not longer than this: a million leads take about 0.3 s. */
const heldTimes = 100
const heldAtMostMs = 10_000

/** Gauges of what is in the store: every process on it says the same. */
export function addStoredMetrics(registry: Registry, ports: StoredMetricsPorts): void {
  const { archive, readBreaker, clock } = ports
  const registers = [registry]
  const stats = keepAWhile(() => archive.stats(clock()))
  const gauge = (name: string, help: string, labelNames: string[], read: () => Promise<Readings>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        for (const [labels, value] of await read()) this.set(labels, value)
      },
    })

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
    'delivery_paused',
    '1 while deliveries are paused, by whom: an operator, or the distributor, which refuses us or what was tried',
    ['by'],
    async () => {
      const { pause, trip } = await readBreaker()
      return [
        [{ by: 'operator' }, pause === null ? 0 : 1],
        [{ by: 'refusal' }, trip?.cause === 'refusal' ? 1 : 0],
      ]
    },
  )
  gauge(
    'delivery_outage',
    '1 while the distributor does not answer and probes alone go out',
    [],
    async () => [[{}, (await readBreaker()).trip?.cause === 'outage' ? 1 : 0]],
  )
}

type Readings = readonly (readonly [Record<string, string>, number])[]

/** Reads again only when the last reading has been held long enough; one that failed is not held. */
function keepAWhile<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let kept: Promise<Reading> | undefined
  let keptUntil = Number.POSITIVE_INFINITY
  const start = async () => {
    const startedAt = performance.now()
    keptUntil = Number.POSITIVE_INFINITY
    return read().finally(() => {
      const endedAt = performance.now()
      keptUntil = endedAt + Math.min((endedAt - startedAt) * heldTimes, heldAtMostMs)
    })
  }
  return () => {
    if (kept !== undefined && performance.now() < keptUntil) return kept
    const started = start()
    kept = started
    started.catch(() => {
      if (kept === started) kept = undefined
    })
    return started
  }
}
