import { randomUUIDv7 } from 'node:crypto'
import type { DeliveryNextStep } from '#domain/delivery/delivery.ts'
import { type LeadStatus, leadStatuses } from '#domain/lead/lead-status.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import type { SendResult } from '#server/delivery/distributor-client.ts'
import { hashContact, makeListKey, readListSecret } from '#server/leads/do-not-contact.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival, exampleTime } from './example-arrival.ts'

const minute = 60_000
const now = exampleTime

const attempts: Readonly<Partial<Record<LeadStatus, [SendResult, DeliveryNextStep]>>> = {
  pending: [
    { outcome: { name: 'unknown', reason: 'timeout' } },
    { retryAt: now + 5 * minute, setBy: 'schedule' },
  ],
  delivered: [
    { outcome: { name: 'delivered', httpStatus: 200 } },
    { settledAs: 'delivered', at: now + 5 },
  ],
  rejected: [
    {
      outcome: { name: 'rejected', httpStatus: 200, cause: 'cap' },
      response: toPlainLine('Reached the monthly offer cap'),
    },
    { settledAs: 'rejected', at: now + 5 },
  ],
  dead: [
    {
      outcome: { name: 'broken', httpStatus: 500, reason: 'server-error' },
      response: toPlainLine('no: dead@example.com'),
    },
    { settledAs: 'dead', at: now + 5 },
  ],
}

/** Lists a person, or takes the person off the list again, without an entry in the audit log. */
async function list({ database: { db } }: Store, email: string, isListed: boolean) {
  const secret = await readListSecret(db)
  const [key = ''] = hashContact({ email }).map((one) => makeListKey(secret, one))
  await (isListed
    ? db.insertInto('do_not_contact').values({ key, listed_at: now })
    : db.deleteFrom('do_not_contact').where('key', '=', key)
  ).execute()
}

/**
 * Stores one lead of every status, received a minute apart in the order of `leadStatuses`, oldest first. Their emails
 * are `<status>@example.com`, but the duplicate repeats the delivered lead. Only the delivered lead records when its
 * page was opened. Resolves with the id of each.
 */
export async function storeLeadOfEachStatus(store: Store): Promise<Record<LeadStatus, string>> {
  const ids: Partial<Record<LeadStatus, string>> = {}
  for (const [index, status] of leadStatuses.entries()) {
    const receivedAt = now - (10 - index) * minute
    const { lead, ...arrival } = exampleArrival({
      receivedAt,
      openedAt: status === 'delivered' ? receivedAt - 1.5 * minute : null,
      email: status === 'duplicate' ? 'delivered@example.com' : `${status}@example.com`,
    })
    const suspicion =
      status === 'quarantined'
        ? ({ signals: ['too-fast'], isQuarantined: true } as const)
        : undefined
    await store.intake.accept({ lead, ...arrival, ...suspicion })
    ids[status] = lead.id
  }
  await store.erasure.erase(toEmailAddress('erased@example.com'), now)
  await list(store, 'do-not-contact@example.com', true)
  for (const { id, lease, lead } of await store.queue.claimDue({
    now,
    leaseUntil: now + minute,
    limit: 10,
  })) {
    const [result, next] =
      attempts[leadStatuses.find((name) => ids[name] === lead.id) ?? 'leased'] ?? []
    if (result === undefined || next === undefined) continue
    const attempt = { id: randomUUIDv7(), deliveryId: id, lease, startedAt: now, durationMs: 5 }
    await store.queue.record({ ...attempt, ...result, next })
  }
  await list(store, 'do-not-contact@example.com', false)
  return ids as Record<LeadStatus, string>
}
