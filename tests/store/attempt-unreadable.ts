import { pino } from 'pino'
import { expect } from 'vitest'
import type { ClaimedDelivery } from '#server/delivery/claim-deliveries.ts'
import { makeAttemptRunner, makeDeliveryBreaker } from '#server/delivery/delivery-attempts.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import type { Store } from '#server/store/open-store.ts'

/** Attempts the delivery of an unreadable lead, as a worker does. */
export async function attemptUnreadable(
  store: Store,
  delivery: ClaimedDelivery,
  at: number,
): Promise<void> {
  expect(delivery.lead).toHaveProperty('unreadable')
  const { signal } = new AbortController()
  const log = pino({ level: 'silent' })
  const shared = { clock: () => at, log, storeFailureLog: makeFailureLog(log, { begins: '' }) }
  const breaker = makeDeliveryBreaker({ ...shared, store: store.breaker }, 0)
  await breaker.read()
  const outcome = { name: 'not-made', reason: 'unreadable' } as const
  const send = async () => ({ delivery, startedAt: at, endedAt: at, outcome })
  const attempts = makeAttemptRunner({ ...shared, queue: store.queue, breaker, send }, [60_000])
  expect(await attempts.record(await attempts.attempt(delivery, signal), signal)).toBe(true)
}
