import { Counter, Histogram, type Registry } from 'prom-client'
import { findAttemptReason, rejectionCauses } from '#domain/delivery/outcome.ts'
import { makeCounter } from '#server/platform/observability/metrics.ts'
import type { CompletedAttempt } from './delivery-attempts.ts'

export function addDeliveryMetrics(registry: Registry) {
  const registers = [registry]
  const attempts = makeCounter({
    name: 'delivery_attempts_total',
    help: 'Delivery attempts of this process, by outcome and reason',
    registry,
    // Alert rules compute the increase of these series, so each of them must start at 0.
    all: [
      { outcome: 'delivered', reason: 'none' },
      { outcome: 'rejected', reason: 'none' },
      ...rejectionCauses.map((reason) => ({ outcome: 'rejected', reason })),
    ],
  })
  const answers = new Counter({
    name: 'delivery_answers_total',
    help: 'The distributor’s answers to this process, by HTTP status',
    labelNames: ['http_status'],
    registers,
  })
  const refusedAlone = new Counter({
    name: 'delivery_leads_refused_total',
    help: 'Leads of this process that the distributor refused (401, 403, 404) while it accepted others',
    registers,
  })
  const attemptDuration = new Histogram({
    name: 'delivery_attempt_duration_seconds',
    help: 'Duration of this process’s calls to the distributor',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  })
  const deliveryDuration = new Histogram({
    name: 'delivery_duration_seconds',
    help: 'Time from receiving a lead until this process delivered it',
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200, 28_800, 86_400],
    registers,
  })
  return {
    countRefusedAlone: (leadIds: readonly string[]) => refusedAlone.inc(leadIds.length),
    countAttempt: ({ delivery, startedAt, endedAt, outcome }: CompletedAttempt) => {
      attempts.inc({ outcome: outcome.name, reason: findAttemptReason(outcome) ?? 'none' })
      if ('httpStatus' in outcome && outcome.httpStatus !== undefined) {
        answers.inc({ http_status: outcome.httpStatus })
      }
      attemptDuration.observe((endedAt - startedAt) / 1000)
      if (outcome.name === 'delivered') {
        deliveryDuration.observe((endedAt - delivery.lead.receivedAt) / 1000)
      }
    },
  }
}
