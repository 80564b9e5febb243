import { Histogram, type Registry } from 'prom-client'
import { type AbuseSignal, abuseSignals, isSuspicious } from '#domain/abuse/signals.ts'
import { makeCounter } from '#server/platform/observability/metrics.ts'
import type { StoreResult } from './store-arrivals.ts'

const kinds = ['new', 'repeated', 'duplicate', 'quarantined'] as const
type Kind = (typeof kinds)[number]

const limits = ['lead', 'challenge', 'lookup', 'connection', 'visit'] as const

const reasons = ['not-stored', 'busy', 'invalid'] as const

export function addIntakeMetrics(registry: Registry) {
  const accepted = makeCounter({
    name: 'leads_accepted_total',
    help: 'Enquiries that this process stored, by kind: new, repeated, duplicate or quarantined',
    registry,
    all: kinds.map((kind) => ({ kind })),
  })
  const refused = makeCounter({
    name: 'leads_refused_total',
    help: 'Complete enquiries that this process did not store, by reason: not stored, too many at once, or an invalid API call; requests_limited_total counts enquiries of busy networks',
    registry,
    all: reasons.map((reason) => ({ reason })),
  })
  const limited = makeCounter({
    name: 'requests_limited_total',
    help: 'Requests over a limit that this process refused: a lead or a lookup of one network, a lead without a proof of work, a connection, or the report of a visit',
    registry,
    all: limits.map((what) => ({ what })),
  })
  const quarantined = makeCounter({
    name: 'leads_quarantined_total',
    help: 'Leads that this process put in quarantine, by signal; a lead may have several signals',
    registry,
    all: abuseSignals.map((signal) => ({ signal })),
  })
  const acceptDuration = new Histogram({
    name: 'leads_accept_duration_seconds',
    help: 'Time that this process took to store an enquiry on disk, including failures',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  return {
    countAccepted: (lead: StoreResult, found: readonly AbuseSignal[]) => {
      const kind = classifyLead(lead, found)
      accepted.inc({ kind })
      if (kind !== 'quarantined') return
      for (const signal of found) quarantined.inc({ signal })
    },
    countRefused: (reason: (typeof reasons)[number]) => refused.inc({ reason }),
    countLimited: (what: (typeof limits)[number]) => limited.inc({ what }),
    timeAccept: <Result>(accept: () => Promise<Result>): Promise<Result> => {
      const stop = acceptDuration.startTimer()
      return accept().finally(stop)
    },
  }
}

export type IntakeMetrics = ReturnType<typeof addIntakeMetrics>

function classifyLead({ repeated, duplicateOf }: StoreResult, found: readonly AbuseSignal[]): Kind {
  if (repeated) return 'repeated'
  if (isSuspicious(found)) return 'quarantined'
  return duplicateOf ? 'duplicate' : 'new'
}
