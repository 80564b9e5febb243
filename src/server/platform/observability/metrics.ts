import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { buildId, productVersion } from './log.ts'

interface ClosedCounter<Label extends string> {
  readonly name: string
  readonly help: string
  readonly registry: Registry
  /** Every combination of values that the counter's labels may have. */
  readonly all: readonly Readonly<Record<Label, string>>[]
}

/**
 * Makes a counter that starts at 0 for each combination of labels. If a counter appeared only with its first event,
 * Prometheus would see no increase, and miss a burst in a new process.
 */
export function makeCounter<Label extends string>({
  name,
  help,
  registry,
  all,
}: ClosedCounter<Label>): Counter<Label> {
  const labelNames = Object.keys(all[0] ?? {}) as Label[]
  const counter = new Counter({ name, help, labelNames, registers: [registry] })
  for (const labels of all) counter.inc(labels, 0)
  return counter
}

export function addHttpMetrics(registry: Registry) {
  const responses = makeCounter({
    name: 'http_responses_total',
    help: 'HTTP answers of this process, including those to monitors, by class of status',
    registry,
    all: ['2xx', '3xx', '4xx', '5xx'].map((status) => ({ status })),
  })
  return {
    countResponse: (status: number) => responses.inc({ status: `${Math.floor(status / 100)}xx` }),
  }
}

let collected: Registry | undefined

/**
 * Collects the metrics of every process: its version, `process_…` and `nodejs_…`, named as in Prometheus' own clients.
 * Creates the metrics once, because each set watches the event loop and the garbage collector.
 */
export function collectProcessMetrics(): Registry {
  if (collected !== undefined) return collected
  collected = new Registry()
  collectDefaultMetrics({ register: collected })
  new Gauge({
    name: 'campus_enquiry_build_info',
    help: 'Always 1; the labels name the version and the build that this process runs',
    labelNames: ['version', 'build'],
    registers: [collected],
  }).set({ version: productVersion, build: buildId }, 1)
  return collected
}
