import { Counter, Gauge, Registry } from 'prom-client'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { AcceptedLead } from './use-cases/accept-enquiry.ts'
import type { LeadArchive } from './use-cases/read-leads.ts'

/** What Prometheus reads at `/metrics`. No label ever holds personal data. */
export function makeMetrics(archive: LeadArchive, clock: () => number) {
  const registry = new Registry()
  const registers = [registry]
  const accepted = new Counter({
    name: 'leads_accepted_total',
    help: 'Enquiries answered with success by this process, by what they were: new, repeated or duplicate',
    labelNames: ['kind'],
    registers,
  })
  const attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Delivery attempts of this process, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const oldest = new Gauge({
    name: 'delivery_oldest_pending_seconds',
    help: 'Age of the oldest delivery that waits; 0 where none does',
    registers,
  })
  new Gauge({
    name: 'leads',
    help: 'Leads in the store, by status',
    labelNames: ['status'],
    registers,
    async collect() {
      const stats = await archive.stats(clock())
      for (const [status, count] of Object.entries(stats.byStatus)) this.set({ status }, count)
      oldest.set((stats.oldestPendingAgeMs ?? 0) / 1000)
    },
  })
  return {
    registry,
    countAccepted: ({ repeated, duplicateOf }: AcceptedLead) =>
      accepted.inc({ kind: repeated ? 'repeated' : duplicateOf ? 'duplicate' : 'new' }),
    countAttempt: ({ name }: AttemptOutcome) => attempts.inc({ outcome: name }),
  }
}
