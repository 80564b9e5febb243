import { Registry } from 'prom-client'
import {
  type LookupOutcome,
  type LookupService,
  lookupOutcomes,
  lookupServices,
} from '#server/integrations/call/look-up.ts'
import { addConsoleMetrics } from './console-metrics.ts'
import { counterFromZero } from './counter-from-zero.ts'
import { addDeliveryMetrics } from './delivery-metrics.ts'
import { addHttpMetrics } from './http-metrics.ts'
import { addIntakeMetrics } from './intake-metrics.ts'
import { processMetrics } from './process-metrics.ts'
import { addRetentionMetrics } from './retention-metrics.ts'
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
