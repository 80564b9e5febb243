import { Registry } from 'prom-client'
import { addConsoleMetrics } from '#server/console-pages/console-metrics.ts'
import { addDeliveryMetrics } from '#server/delivery/delivery-metrics.ts'
import { addIntakeMetrics } from '#server/enquiries/intake-metrics.ts'
import {
  type LookupOutcome,
  type LookupService,
  lookupOutcomes,
  lookupServices,
} from '#server/platform/call/look-up.ts'
import {
  addHttpMetrics,
  counterFromZero,
  processMetrics,
} from '#server/platform/observability/metrics.ts'
import { addRetentionMetrics } from '#server/start/wiring/retention-metrics.ts'
import { addStoredMetrics, type StoredMetricsPorts } from './stored-metrics.ts'

/** What Prometheus reads at `/metrics`. No label ever holds personal data. */
export function makeMetrics(ports: StoredMetricsPorts) {
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
