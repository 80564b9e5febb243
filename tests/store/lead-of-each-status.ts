import { randomUUIDv7 } from 'node:crypto'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { Store } from '#server/store/open-store.ts'
import type { AfterAttempt } from '#server/use-cases/delivery-queue.ts'
import { emailAddress } from '#server/use-cases/erase-person.ts'
import { type LeadStatus, leadStatuses } from '#server/use-cases/read-leads.ts'
import { exampleArrival, exampleTime } from './example-arrival.ts'

const minute = 60_000
const now = exampleTime

const attempts: Readonly<Partial<Record<LeadStatus, [AttemptOutcome, AfterAttempt]>>> = {
  pending: [
    { name: 'unknown', detail: 'no answer' },
    { retryAt: now + 5 * minute, setBy: 'schedule' },
  ],
  delivered: [
    { name: 'delivered', httpStatus: 200 },
    { settledAs: 'delivered', at: now + 5 },
  ],
  rejected: [
    { name: 'rejected', httpStatus: 200, reasons: ['Reached the monthly offer cap'], cause: 'cap' },
    { settledAs: 'rejected', at: now + 5 },
  ],
  dead: [
    { name: 'broken', httpStatus: 500, detail: 'said: dead@example.com' },
    { settledAs: 'dead', at: now + 5 },
  ],
}

/**
 * Stores one lead of every status, received a minute apart in the order of `leadStatuses`, the oldest first. Their
 * emails are `<status>@example.com`, but the duplicate repeats the dead one. Resolves with the id of each.
 */
export async function storeLeadOfEachStatus(store: Store): Promise<Record<LeadStatus, string>> {
  const ids: Partial<Record<LeadStatus, string>> = {}
  for (const [index, status] of leadStatuses.entries()) {
    const { lead, ...arrival } = exampleArrival({
      receivedAt: now - (10 - index) * minute,
      email: status === 'duplicate' ? 'dead@example.com' : `${status}@example.com`,
    })
    const suspicion =
      status === 'quarantined'
        ? ({ signals: ['too-fast'], isQuarantined: true } as const)
        : undefined
    await store.intake.accept({ lead, ...arrival, ...suspicion })
    ids[status] = lead.id
  }
  await store.erasure.erase(emailAddress('erased@example.com'), now)
  for (const { id, lease, lead } of await store.queue.claimDue({
    now,
    leaseUntil: now + minute,
    limit: 10,
  })) {
    const [outcome, next] =
      attempts[leadStatuses.find((name) => ids[name] === lead.id) ?? 'leased'] ?? []
    if (outcome === undefined || next === undefined) continue
    const attempt = { id: randomUUIDv7(), deliveryId: id, lease, startedAt: now, durationMs: 5 }
    await store.queue.record({ ...attempt, outcome, next })
  }
  return ids as Record<LeadStatus, string>
}
