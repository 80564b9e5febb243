import { Counter, Histogram, Registry } from 'prom-client'
import { isSuspicious, type Signal } from '#domain/abuse/signal.ts'
import { reasonOf } from '#domain/delivery/outcome.ts'
import type { LookupOutcome } from './integrations/look-up.ts'
import { addStoredMetrics, type StoredMetricsPorts } from './stored-metrics.ts'
import type { LookupService } from './third-parties.ts'
import type { AcceptedLead } from './use-cases/accept-enquiry.ts'
import type { Attempted } from './use-cases/deliver-leads.ts'

/** What Prometheus reads at `/metrics`. No label ever holds personal data. */
export function makeMetrics(ports: StoredMetricsPorts) {
  const registry = new Registry()
  const registers = [registry]
  const accepted = new Counter({
    name: 'leads_accepted_total',
    help: 'Enquiries answered with success by this process, by what they were: new, repeated, duplicate or quarantined',
    labelNames: ['kind'],
    registers,
  })
  const limited = new Counter({
    name: 'requests_limited_total',
    help: 'What this process has refused as too much: a lead or a lookup of one network, or a connection',
    labelNames: ['what'],
    registers,
  })
  const quarantined = new Counter({
    name: 'leads_quarantined_total',
    help: 'Leads that this process put in quarantine, by each signal that spoke against them',
    labelNames: ['signal'],
    registers,
  })
  const acceptDuration = new Histogram({
    name: 'leads_accept_duration_seconds',
    help: 'How long this process took to bring an enquiry to the disk, failures included',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Delivery attempts of this process, by outcome, HTTP status and our own reason',
    labelNames: ['outcome', 'http_status', 'reason'],
    registers,
  })
  const refusedAlone = new Counter({
    name: 'delivery_leads_refused_total',
    help: 'Leads that the distributor refused (401, 403, 404) while it took others, as this process saw it',
    registers,
  })
  const attemptDuration = new Histogram({
    name: 'delivery_attempt_duration_seconds',
    help: 'How long a call of the distributor took this process',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  })
  const deliveryDuration = new Histogram({
    name: 'delivery_duration_seconds',
    help: 'From the receipt of a lead until this process had delivered it',
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200, 28_800, 86_400],
    registers,
  })
  const thirdPartyCalls = new Counter({
    name: 'third_party_calls_total',
    help: 'Calls by this process of geocoding, address-validation and ip-lookup, second tries too, by what came of them; the distributor is in delivery_attempts_total',
    labelNames: ['service', 'outcome'],
    registers,
  })
  addStoredMetrics(registry, ports)
  return {
    registry,
    countAccepted: (lead: AcceptedLead, signals: readonly Signal[]) => {
      const kind = kindOf(lead, signals)
      accepted.inc({ kind })
      if (kind !== 'quarantined') return
      for (const signal of signals) quarantined.inc({ signal })
    },
    countLimited: (what: 'lead' | 'lookup' | 'connection') => limited.inc({ what }),
    /** The same function, each of its calls measured. */
    timeAccept:
      <Arguments extends unknown[], Result>(accept: (...args: Arguments) => Promise<Result>) =>
      async (...args: Arguments): Promise<Result> => {
        const stop = acceptDuration.startTimer()
        return accept(...args).finally(stop)
      },
    countThirdPartyCall: (service: LookupService, outcome: LookupOutcome) =>
      thirdPartyCalls.inc({ service, outcome }),
    countRefusedAlone: (leadIds: readonly string[]) => refusedAlone.inc(leadIds.length),
    countAttempt: ({ delivery, startedAt, endedAt, outcome }: Attempted) => {
      const http_status = 'httpStatus' in outcome ? outcome.httpStatus : undefined
      attempts.inc({
        outcome: outcome.name,
        http_status: http_status ?? 'none',
        reason: reasonOf(outcome) ?? 'none',
      })
      attemptDuration.observe((endedAt - startedAt) / 1000)
      if (outcome.name === 'delivered') {
        deliveryDuration.observe((endedAt - delivery.lead.receivedAt) / 1000)
      }
    },
  }
}

function kindOf({ repeated, duplicateOf }: AcceptedLead, signals: readonly Signal[]) {
  if (repeated) return 'repeated'
  if (isSuspicious(signals)) return 'quarantined'
  return duplicateOf ? 'duplicate' : 'new'
}

export type Metrics = ReturnType<typeof makeMetrics>
