import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AfterAttempt, ClaimedDelivery } from '#server/use-cases/delivery-queue.ts'
import { exampleArrival, exampleTime as now } from '#tests/store/example-arrival.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import type { Store } from '../open-store.ts'

const minute = 60_000
const claimAt = (at: number) => ({ now: at, leaseUntil: at + minute })
const claim = claimAt(now)

/** Accepts leads that came in one after the other, a minute ago. */
async function acceptLeads(store: Store, count: number): Promise<string[]> {
  const arrivals = Array.from({ length: count }, (_, index) =>
    exampleArrival({ receivedAt: now - minute + index }),
  )
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  return arrivals.map(({ lead }) => lead.id)
}

/** As an attempt that did not reach the distributor. */
const recordFor = (store: Store, { id, lease }: ClaimedDelivery, next: AfterAttempt) =>
  store.queue.record({
    id: randomUUIDv7(),
    deliveryId: id,
    lease,
    startedAt: now,
    durationMs: 0,
    outcome: { name: 'unreachable', reason: 'no-connection' },
    next,
  })

async function claimOne(store: Store, at: number): Promise<ClaimedDelivery> {
  const [delivery] = await store.queue.claimDue({ ...claimAt(at), limit: 1 })
  if (delivery === undefined) throw new Error('nothing was due')
  return delivery
}

/** Claims all that is due: the leads' ids in their order. */
async function claimAll(store: Store, at = now): Promise<string[]> {
  const due = await store.queue.claimDue({ ...claimAt(at), limit: 100 })
  return due.map(({ lead }) => lead.id)
}

describe.each(storePlaces)('the delivery breaker on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('is open at first', async () => {
    const { breaker } = await place.open()
    expect(await breaker.read()).toEqual({ pause: null, outage: null })
    expect(await breaker.resume(now)).toBe(false)
    expect(await breaker.answered(now)).toBe(false)
  })

  test('an operator’s pause holds for every process, lets no probe through and ends by resume alone', async () => {
    const { breaker, queue } = await place.open()
    const other = await place.open()
    await acceptLeads(other, 1)
    expect(await breaker.pause({ by: 'operator', reason: 'holiday', at: now })).toBe(true)
    const pause = { by: 'operator', reason: 'holiday', since: now, probeAt: null }
    expect(await other.breaker.read()).toEqual({ pause, outage: null })
    await breaker.probeNow(now)
    expect(await queue.claimProbe(claim)).toBeUndefined()
    expect(await breaker.answered(now)).toBe(false)
    expect(await breaker.pause({ by: 'refusal', reason: 'HTTP 401', at: now })).toBe(false)
    expect((await breaker.read()).pause).toEqual(pause)
    expect(await other.breaker.resume(now)).toBe(true)
    expect(await breaker.read()).toEqual({ pause: null, outage: null })
  })

  test('an operator’s pause takes the place of a refusal’s, and stops an outage’s probes', async () => {
    const { breaker, ...store } = await place.open()
    await acceptLeads({ breaker, ...store }, 1)
    await breaker.beginOutage({ since: now, at: now - minute })
    await breaker.pause({ by: 'refusal', reason: 'HTTP 401', at: now })
    expect(await breaker.pause({ by: 'operator', reason: 'I see to it', at: now + 1 })).toBe(true)
    expect((await breaker.read()).pause).toMatchObject({ by: 'operator', since: now + 1 })
    expect(await store.queue.claimProbe(claimAt(now + 10 * minute))).toBeUndefined()
  })

  test('a refusal’s pause lets a probe through every five minutes, and at a worker’s start', async () => {
    const store = await place.open()
    const { breaker, queue } = store
    await acceptLeads(store, 2)
    await breaker.pause({ by: 'refusal', reason: 'HTTP 401', at: now })
    expect((await breaker.read()).pause?.probeAt).toBe(now + 5 * minute)
    const early = now + 5 * minute - 1
    expect(await queue.claimProbe(claimAt(early))).toBeUndefined()
    await breaker.probeNow(early)
    expect(await queue.claimProbe(claimAt(early))).toBeDefined()
    await breaker.pause({ by: 'refusal', reason: 'HTTP 403', at: early })
    const probeAt = early + 5 * minute
    const pause = { by: 'refusal', reason: 'HTTP 403', since: now, probeAt }
    expect((await breaker.read()).pause).toEqual(pause)
    expect(await breaker.answered(early)).toBe(true)
    expect(await breaker.read()).toEqual({ pause: null, outage: null })
  })

  test('an outage’s probes wait 1, 2, 4, 5 and then always 5 seconds', async () => {
    const store = await place.open()
    const { breaker, queue } = store
    await acceptLeads(store, 6)
    expect(await breaker.beginOutage({ since: now - 10, at: now })).toBe(true)
    expect(await breaker.beginOutage({ since: now, at: now + 500 })).toBe(false)
    let at = now
    const waits: number[] = []
    while (waits.length < 6) {
      const { outage } = await breaker.read()
      const probeAt = outage?.probeAt ?? 0
      waits.push(probeAt - at)
      at = probeAt
      expect(await queue.claimProbe(claimAt(at - 1))).toBeUndefined()
      const probe = await queue.claimProbe(claimAt(at))
      await breaker.probeFailed({ lease: probe?.lease ?? '', at })
    }
    expect(waits).toEqual([1000, 2000, 4000, 5000, 5000, 5000])
    expect((await breaker.read()).outage?.since).toBe(now - 10)
  })

  test('however many workers ask, one probe is under way, and it is the oldest lead', async () => {
    const store = await place.open()
    const other = await place.open()
    const [oldest] = await acceptLeads(store, 20)
    await store.breaker.beginOutage({ since: now, at: now - 1000 })
    const queues = [store, other].flatMap(({ queue }) => [queue, queue, queue, queue])
    const probes = await Promise.all(queues.map((queue) => queue.claimProbe(claim)))
    const taken = probes.filter((probe) => probe !== undefined)
    expect(taken.map(({ lead }) => lead.id)).toEqual([oldest])
    await store.breaker.probeFailed({ lease: 'another', at: now })
    const later = { ...claim, now: claim.leaseUntil - 1 }
    expect(await other.queue.claimProbe(later)).toBeUndefined()
  })

  test('a probe whose process died is followed by another when its lease has ended', async () => {
    const store = await place.open()
    await acceptLeads(store, 2)
    await store.breaker.beginOutage({ since: now, at: now - 1000 })
    await store.queue.claimProbe(claim)
    expect(await store.queue.claimProbe(claimAt(claim.leaseUntil))).toBeDefined()
  })

  test('where nothing is due no probe is spent', async () => {
    const store = await place.open()
    await store.breaker.beginOutage({ since: now, at: now - 1000 })
    expect(await store.queue.claimProbe(claim)).toBeUndefined()
    await acceptLeads(store, 1)
    expect(await store.queue.claimProbe(claim)).toBeDefined()
  })

  test.each(['answered', 'resume'] as const)(
    '%s makes due what waits for the outage, the oldest first, and keeps a wait that the distributor asked for',
    async (end) => {
      const store = await place.open()
      const [first, second, third, fourth] = await acceptLeads(store, 4)
      const [a, b, c] = await store.queue.claimDue({ ...claim, limit: 3 })
      if (!a || !b || !c) throw new Error('three were due')
      await recordFor(store, b, { retryAt: now + 9 * minute, setBy: 'schedule' })
      await recordFor(store, a, { retryAt: now + 5 * minute, setBy: 'schedule' })
      await recordFor(store, c, { retryAt: now + 30_000, setBy: 'distributor' })
      await store.breaker.beginOutage({ since: now, at: now })
      expect(await claimAll(store)).toEqual([fourth])
      expect(await store.breaker[end](now)).toBe(true)
      expect(await claimAll(store, now + 29_999)).toEqual([first, second])
      expect(await claimAll(store, now + 30_000)).toContain(third)
    },
  )

  test('what waited before the outage goes on waiting', async () => {
    const store = await place.open()
    await acceptLeads(store, 1)
    const delivery = await claimOne(store, now)
    await recordFor(store, delivery, { retryAt: now + minute, setBy: 'schedule' })
    await store.breaker.beginOutage({ since: now + 1, at: now + 2 })
    await store.breaker.answered(now + 3)
    expect(await claimAll(store, now + minute - 1)).toEqual([])
    expect(await claimAll(store, now + minute)).toHaveLength(1)
  })

  test('the attempts that outages cost spend no schedule, up to eight of them', async () => {
    const store = await place.open()
    await acceptLeads(store, 1)
    for (let outages = 0; outages < 9; outages++) {
      const delivery = await claimOne(store, now)
      expect(delivery.triesSpent).toBe(0)
      await recordFor(store, delivery, { retryAt: now + minute, setBy: 'schedule' })
      await store.breaker.beginOutage({ since: now, at: now })
      await store.breaker.answered(now)
    }
    expect(await claimAll(store, now + minute - 1)).toEqual([])
    expect((await claimOne(store, now + minute)).triesSpent).toBe(1)
  })
})
