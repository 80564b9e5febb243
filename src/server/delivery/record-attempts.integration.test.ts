import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DeliveryNextStep } from '#domain/delivery/delivery.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival, exampleTime as now } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

const lease = 60_000

async function acceptLead(store: Store): Promise<string> {
  const arrival = exampleArrival({ receivedAt: now - 1000 })
  await store.intake.accept(arrival)
  return arrival.lead.id
}

async function claimOne(store: Store, at = now): Promise<ClaimedDelivery> {
  const [delivery] = await store.queue.claimDue({ now: at, leaseUntil: at + lease, limit: 1 })
  if (delivery === undefined) throw new Error('nothing was due')
  return delivery
}

const attemptOf = (
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  next: DeliveryNextStep,
  id = randomUUIDv7(),
) => ({
  id,
  deliveryId: delivery.id,
  lease: delivery.lease,
  startedAt: now,
  durationMs: 5,
  outcome,
  next,
})

const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const unknown: AttemptOutcome = { name: 'unknown', reason: 'timeout' }
const unreachable: AttemptOutcome = { name: 'unreachable', reason: 'no-connection' }
const settled = { settledAs: 'delivered', at: now } as const
const atOnce = { retryAt: now, setBy: 'schedule' } as const

const attemptsOf = async (store: Store, id: string) =>
  (await store.leadReader.find(id, now))?.delivery?.attempts ?? []
const duplicates = async (store: Store) =>
  (await store.leadReader.stats(now)).duplicatesPossiblySent

describe.each(storePlaces)('attempts on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('a worker that died leaves an unknown attempt, and what follows may be a duplicate', async () => {
    const store = await place.open()
    const id = await acceptLead(store)
    await claimOne(store)
    const second = await claimOne(store, now + lease)
    expect(await attemptsOf(store, id)).toMatchObject([
      { outcome: 'unknown', startedAt: now, durationMs: lease, httpStatus: null },
    ])
    // The worker died, so the attempt does not use up the lead's retry schedule.
    expect(second.attemptsSpent).toBe(0)
    expect(await duplicates(store)).toBe(0)
    await store.queue.record(attemptOf(second, delivered, settled))
    expect(await duplicates(store)).toBe(1)
  })

  test('a lead that crashes its worker again and again uses up its schedule', async () => {
    const store = await place.open()
    await acceptLead(store)
    const spent: number[] = []
    for (let deaths = 0; deaths < 11; deaths++) {
      spent.push((await claimOne(store, now + deaths * lease)).attemptsSpent)
    }
    expect(spent).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2])
    expect(await duplicates(store)).toBe(9)
  })

  test('an attempt after an unknown one counts as a duplicate only where it was sent', async () => {
    const store = await place.open()
    await acceptLead(store)
    for (const outcome of [unreachable, unknown, unreachable]) {
      await store.queue.record(attemptOf(await claimOne(store), outcome, atOnce))
    }
    expect(await duplicates(store)).toBe(0)
    await store.queue.record(attemptOf(await claimOne(store), delivered, settled))
    expect(await duplicates(store)).toBe(1)
  })

  test.each<[string, AttemptOutcome, number]>([
    ['a 2xx that is none', { name: 'broken', httpStatus: 200, reason: 'unknown-reply' }, 1],
    ['a redirect', { name: 'broken', httpStatus: 302, reason: 'unknown-status' }, 0],
    ['an error', { name: 'broken', httpStatus: 500, reason: 'server-error' }, 0],
  ])(
    'after %s it may be a duplicate only where the lead may have been taken',
    async (_, answer, count) => {
      const store = await place.open()
      await acceptLead(store)
      await store.queue.record(attemptOf(await claimOne(store), answer, atOnce))
      await store.queue.record(attemptOf(await claimOne(store), delivered, settled))
      expect(await duplicates(store)).toBe(count)
    },
  )

  test('unused leases that were returned leave no attempt', async () => {
    const store = await place.open()
    const id = await acceptLead(store)
    await store.queue.giveBack([await claimOne(store)])
    await claimOne(store)
    expect(await attemptsOf(store, id)).toEqual([])
  })

  test('the same attempt recorded again changes nothing', async () => {
    const store = await place.open()
    const id = await acceptLead(store)
    const attempt = attemptOf(await claimOne(store), unknown, atOnce)
    expect(await store.queue.record(attempt)).toBe(true)
    expect(await store.queue.record(attempt)).toBe(true)
    expect(await attemptsOf(store, id)).toHaveLength(1)
    expect(await claimOne(store)).toMatchObject({ attemptsSpent: 1 })
  })

  test('a call that we cut off is recorded; the lead is due in its old place and gets its attempt back, eight times at most', async () => {
    const store = await place.open()
    const id = await acceptLead(store)
    const cutOff: AttemptOutcome = { name: 'unknown', reason: 'stopped' }
    const spent: number[] = []
    for (let stops = 0; stops < 10; stops++) {
      const delivery = await claimOne(store, now - 1000)
      spent.push(delivery.attemptsSpent)
      await store.queue.record(attemptOf(delivery, cutOff, { dueAgain: true }))
    }
    expect(spent).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    expect((await attemptsOf(store, id))[0]).toMatchObject({
      outcome: 'unknown',
      reason: 'stopped',
    })
  })

  test('a rejection because of the monthly cap is recorded as such', async () => {
    const store = await place.open()
    await acceptLead(store)
    await acceptLead(store)
    const rejected = { name: 'rejected', httpStatus: 200, reasons: ['no'] } as const
    const next = { settledAs: 'rejected', at: now } as const
    await store.queue.record(attemptOf(await claimOne(store), rejected, next))
    expect((await store.leadReader.stats(now)).rejectedByCap).toBe(0)
    const capped = { ...rejected, cause: 'cap' } as const
    await store.queue.record(attemptOf(await claimOne(store), capped, next))
    expect((await store.leadReader.stats(now)).rejectedByCap).toBe(1)
  })

  test('many attempts at once are each recorded for their own delivery', async () => {
    const store = await place.open()
    const ids = await Promise.all(Array.from({ length: 30 }, () => acceptLead(store)))
    const claimed = await store.queue.claimDue({ now, leaseUntil: now + lease, limit: 30 })
    const results = await Promise.all(
      claimed.map((delivery, index) =>
        store.queue.record(
          index % 3 === 0
            ? attemptOf({ ...delivery, lease: 'lost' }, unreachable, atOnce)
            : attemptOf(
                delivery,
                index % 3 === 1 ? delivered : unknown,
                index % 3 === 1 ? settled : atOnce,
              ),
        ),
      ),
    )
    expect(results).toEqual(claimed.map((_, index) => index % 3 !== 0))
    const { byStatus, attempts } = await store.leadReader.stats(now)
    expect(byStatus).toMatchObject({ leased: 10, delivered: 10, pending: 10 })
    expect(attempts).toBe(ids.length)
  })

  test('a removed lead does not delay the others', async () => {
    const store = await place.open()
    await acceptLead(store)
    const delivery = await claimOne(store)
    const results = await Promise.all([
      store.queue.record(attemptOf({ ...delivery, id: 'gone' }, delivered, settled)),
      store.queue.record(attemptOf(delivery, delivered, settled)),
    ])
    expect(results).toEqual([false, true])
  })
})
