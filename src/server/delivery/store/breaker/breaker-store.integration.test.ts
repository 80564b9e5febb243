import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { TripCause, TripOrder } from '#domain/delivery/breaker.ts'
import type { Store } from '#server/start/open-store.ts'
import { exampleArrival, exampleTime as now } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import type { AfterAttempt, ClaimedDelivery } from '../../delivery-queue.ts'

const minute = 60_000
const claimAt = (at: number) => ({ now: at, leaseUntil: at + minute })
const claim = claimAt(now)

const order = (cause: TripCause, more: Partial<TripOrder> = {}): TripOrder => ({
  cause,
  reason: 'HTTP 403',
  since: now,
  enoughRefused: 15,
  at: now,
  ...more,
})

/** Accepts leads that came in one after the other, a minute ago, of one network unless told otherwise. */
async function acceptLeads(
  store: Store,
  count: number,
  ipOf = (_: number) => '203.0.113.7',
): Promise<string[]> {
  const arrivals = Array.from({ length: count }, (_, index) => {
    const { lead, ...arrival } = exampleArrival({ receivedAt: now - minute + index })
    return { lead: { ...lead, consent: { ...lead.consent, ip: ipOf(index) } }, ...arrival }
  })
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  return arrivals.map(({ lead }) => lead.id)
}

/** As an attempt that was refused. */
const recordFor = (
  store: Store,
  { id, lease }: ClaimedDelivery,
  { at = now, ...next }: AfterAttempt & { readonly at?: number },
) =>
  store.queue.record({
    id: randomUUIDv7(),
    deliveryId: id,
    lease,
    startedAt: at,
    durationMs: 0,
    outcome: { name: 'refused', httpStatus: 403 },
    next: { ...next, ...('settledAs' in next ? { at } : {}) } as AfterAttempt,
  })

const bySchedule = (retryAt: number) => ({ retryAt, setBy: 'schedule' }) as const

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

/** Makes the next probe the moment it may go, and lets it be refused; undefined where there was nobody to go with. */
async function failProbe(store: Store, cause: TripCause = 'refused', after = 0) {
  const { trip } = await store.breaker.read()
  const at = (trip?.probeAt ?? 0) + after
  const probe = await store.queue.claimProbe(claimAt(at))
  if (probe?.probe === undefined) return undefined
  const { lease, probe: kind } = probe
  await store.breaker.probeFailed({ lease, kind, cause, reason: 'HTTP 403', at })
  await recordFor(store, probe, { ...bySchedule(at + 5000), at })
  return { lead: probe.lead.id, kind }
}

async function failProbes(store: Store, count: number, cause?: TripCause) {
  const leads: string[] = []
  for (let probes = 0; probes < count; probes++) {
    leads.push((await failProbe(store, cause))?.lead ?? 'nobody')
  }
  return leads
}

describe.each(storePlaces)('the delivery breaker on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('is closed at first; an operator’s pause holds for every process, lets no probe through and ends by resume alone', async () => {
    const { breaker, queue } = await place.open()
    const other = await place.open()
    expect(await breaker.read()).toEqual({ pause: null, trip: null })
    expect([
      await breaker.resume({ reason: '', at: now }),
      await breaker.answered('first', now),
    ]).toEqual([false, false])
    await acceptLeads(other, 1)
    expect(await breaker.pause({ reason: 'holiday', at: now })).toBe(true)
    const pause = { reason: 'holiday', since: now }
    expect(await other.breaker.read()).toEqual({ pause, trip: null })
    await breaker.workerStarted(now)
    expect(await queue.claimProbe(claim)).toBeUndefined()
    expect(await breaker.answered('first', now)).toBe(false)
    expect(await breaker.trip(order('refused'))).toBe(false)
    expect(await breaker.pause({ reason: 'and tomorrow', at: now + 1 })).toBe(false)
    expect(await other.breaker.read()).toEqual({
      pause: { reason: 'and tomorrow', since: now + 1 },
      trip: null,
    })
    expect(await other.breaker.resume({ reason: '', at: now })).toBe(true)
    expect(await breaker.read()).toEqual({ pause: null, trip: null })
  })

  test('an operator’s pause takes the place of a trip of refused leads, which cost nothing, and stops an outage’s probes', async () => {
    const store = await place.open()
    const leads = await acceptLeads(store, 1)
    await store.breaker.trip(order('refused'))
    await failProbe(store)
    expect(await store.breaker.pause({ reason: 'I see to it', at: now + 1 })).toBe(true)
    expect(await store.breaker.read()).toEqual({
      pause: { reason: 'I see to it', since: now + 1 },
      trip: null,
    })
    await store.breaker.resume({ reason: '', at: now })
    await store.breaker.trip(order('outage'))
    await store.breaker.pause({ reason: '', at: now })
    expect(await store.queue.claimProbe(claimAt(now + 10 * minute))).toBeUndefined()
    expect(await store.breaker.answered('first', now)).toBe(true)
    expect((await store.breaker.read()).pause).not.toBeNull()
    await store.breaker.resume({ reason: '', at: now })
    expect((await claimOne(store, now)).triesSpent).toBe(0)
    expect(leads).toHaveLength(1)
  })

  test('however many workers ask, one probe is under way; it counts as lost when its lease has ended', async () => {
    const store = await place.open()
    const other = await place.open()
    const [oldest, ...more] = await acceptLeads(store, 20)
    expect(await store.breaker.trip(order('outage', { since: now - 10 }))).toBe(true)
    expect(await other.breaker.trip(order('refused'))).toBe(false)
    const at = now + 1000
    const queues = [store, other].flatMap(({ queue }) => [queue, queue, queue, queue])
    const early = await Promise.all(queues.map((queue) => queue.claimProbe(claimAt(at - 1))))
    expect(early.filter((probe) => probe !== undefined)).toEqual([])
    const probes = await Promise.all(queues.map((queue) => queue.claimProbe(claimAt(at))))
    const taken = probes.filter((probe) => probe !== undefined)
    expect(taken.map(({ lead, probe }) => [lead.id, probe])).toEqual([[oldest, 'first']])
    const failed = { kind: 'first', cause: 'outage', reason: '', at } as const
    await store.breaker.probeFailed({ lease: 'another', ...failed })
    const lost = { ...claimAt(at + minute), limit: 1 }
    expect(await other.queue.claimProbe({ ...lost, now: lost.now - 1 })).toBeUndefined()
    expect(more).toContain((await other.queue.claimProbe(lost))?.lead.id)
    expect((await store.breaker.read()).trip).toMatchObject({ since: now - 10, reason: 'HTTP 403' })
  })

  test('a probe that was not made may be made at once, and where nobody is due none is spent', async () => {
    const store = await place.open()
    await store.breaker.trip(order('refused'))
    expect(await store.queue.claimProbe(claim)).toBeUndefined()
    await acceptLeads(store, 1)
    const probe = await store.queue.claimProbe(claim)
    if (probe === undefined) throw new Error('there was no probe')
    await store.queue.release([probe])
    expect(await store.queue.claimProbe(claim)).toBeUndefined()
    await store.breaker.probeNotMade({ lease: probe.lease, at: now + 1 })
    expect(await store.queue.claimProbe(claimAt(now + 1))).toMatchObject({ id: probe.id })
  })

  test('probes go from both ends and from between, none twice with the same lead', async () => {
    const store = await place.open()
    const leads = await acceptLeads(store, 9)
    await store.breaker.trip(order('refused'))
    const tried = await failProbes(store, 9)
    expect(tried.slice(0, 3)).toEqual([leads[0], leads[8], leads[4]])
    expect(tried.toSorted()).toEqual(leads.toSorted())
    expect(await failProbe(store)).toBeUndefined()
  })

  test('a lead of another neighbourhood than was refused goes first, and is tried where enough of that one were', async () => {
    const store = await place.open()
    await acceptLeads(store, 17, (index) => `2001:db8:0:${index}::1`)
    await store.breaker.trip(order('refused'))
    await failProbes(store, 15)
    const failedProbes = { outage: 0, refused: 1, akinRefused: 14 }
    expect((await store.breaker.read()).trip).toMatchObject({ failedProbes })
    expect(await failProbe(store)).toBeUndefined()
    const [other] = await acceptLeads(store, 1, () => '198.51.100.1')
    expect(await failProbe(store)).toEqual({ lead: other, kind: 'first' })
  })

  test('somebody of another network is found behind hundreds of one that was refused', async () => {
    const store = await place.open()
    await acceptLeads(store, 300)
    await recordFor(store, await claimOne(store, now), { ...bySchedule(now + minute), at: now - 1 })
    await store.breaker.trip(order('refused', { enoughRefused: 2 }))
    await failProbes(store, 2)
    expect(await failProbe(store)).toBeUndefined()
    const arrival = exampleArrival({ receivedAt: now - minute + 300 })
    const consent = { ...arrival.lead.consent, ip: '198.51.100.1' }
    await store.intake.accept({ ...arrival, lead: { ...arrival.lead, consent } })
    expect(await failProbe(store)).toEqual({ lead: arrival.lead.id, kind: 'first' })
  })

  test('who never failed goes before who failed before the trip, and who failed in it comes last, the longest ago first', async () => {
    const store = await place.open()
    const [failedBefore = '', ...fresh] = await acceptLeads(store, 3)
    await recordFor(store, await claimOne(store, now - 10), { ...bySchedule(now - 1), at: now - 9 })
    await store.breaker.trip(order('refused'))
    const tried = await failProbes(store, 3)
    expect(tried.slice(0, 2).toSorted()).toEqual(fresh.toSorted())
    expect(tried[2]).toBe(failedBefore)
    expect(await failProbe(store)).toBeUndefined()
    // The third probe went 0 ms after the second.
    const again = await failProbe(store, 'refused', 5 * minute)
    expect(tried).toContain(again?.lead)
    expect(again?.kind).toBe('repeat')
    const next = await failProbe(store, 'refused', 5 * minute)
    expect(next?.kind).toBe('repeat')
    expect(next?.lead).not.toBe(again?.lead)
  })

  test('a worker’s start lets a probe through at once, once in five minutes', async () => {
    const store = await place.open()
    await acceptLeads(store, 2)
    await store.breaker.trip(order('refused'))
    await failProbes(store, 2)
    const restartAt = async (at: number) => {
      await store.breaker.workerStarted(at)
      const probe = await store.queue.claimProbe(claimAt(at))
      if (probe?.probe === undefined) return false
      const { lease, probe: kind } = probe
      const failed = { kind, cause: 'refused', reason: '', at } as const
      await store.breaker.probeFailed({ lease, ...failed })
      await recordFor(store, probe, { ...bySchedule(at), at })
      return true
    }
    const at = now + 1000
    const restarts = [at, at + 1000, at + 5 * minute - 1, at + 5 * minute]
    const probes: boolean[] = []
    for (const restart of restarts) probes.push(await restartAt(restart))
    expect(probes).toEqual([true, false, false, true])
  })

  test('closed by another lead while it is not sure: who was refused has spent a try and waits on', async () => {
    const store = await place.open()
    const [first, second] = await acceptLeads(store, 2)
    await store.breaker.trip(order('refused'))
    expect(await failProbes(store, 1)).toEqual([first])
    expect(await store.breaker.answered('akin', now)).toBe(true)
    expect(await store.breaker.read()).toEqual({ pause: null, trip: null })
    expect(await claimAll(store, now + 4999)).toEqual([second])
    expect(await claimOne(store, now + 5000)).toMatchObject({ lead: { id: first }, triesSpent: 1 })
  })

  test.each(['answered', 'resume', 'a lead that was refused'] as const)(
    'closed by %s when it is sure: all is due, the oldest first, and has spent nothing; what the distributor asked to wait waits',
    async (end) => {
      const store = await place.open()
      const leads = await acceptLeads(store, 17)
      await recordFor(store, await claimOne(store, now), {
        retryAt: now + 10 * minute,
        setBy: 'distributor',
      })
      await store.breaker.trip(order('refused'))
      if (end === 'answered') await failProbes(store, 15)
      else await failProbes(store, 3)
      if (end === 'resume') expect(await store.breaker.resume({ reason: '', at: now })).toBe(true)
      else await store.breaker.answered(end === 'answered' ? 'akin' : 'repeat', now)
      const due = await store.queue.claimDue({ ...claimAt(now + minute), limit: 100 })
      expect(due.map(({ lead }) => lead.id)).toEqual(leads.slice(1))
      expect(due.every(({ triesSpent }) => triesSpent === 0)).toBe(true)
    },
  )

  test('what failed before a trip goes on waiting, and a lead asked about again spends nothing', async () => {
    const store = await place.open()
    await acceptLeads(store, 2)
    await recordFor(store, await claimOne(store, now), bySchedule(now + 20 * minute))
    await store.breaker.trip(order('outage', { since: now + 1, at: now + 1 }))
    await failProbe(store, 'outage')
    for (let again = 0; again < 9; again++) {
      const { lease, probe, ...delivery } = (await store.queue.claimProbe(
        claimAt(now + (again + 1) * minute),
      )) as ClaimedDelivery
      expect({ probe, triesSpent: delivery.triesSpent }).toEqual({ probe: 'repeat', triesSpent: 1 })
      const at = now + (again + 1) * minute
      const failed = { kind: 'repeat', cause: 'outage', reason: '', at } as const
      await store.breaker.probeFailed({ lease, ...failed })
      await recordFor(
        store,
        { ...delivery, lease },
        { ...bySchedule(at + 40 * minute), spends: 'nothing', at },
      )
    }
    await store.breaker.answered('repeat', now)
    expect(await claimAll(store, now + 20 * minute - 1)).toEqual([])
    expect(await claimAll(store, now + 20 * minute)).toHaveLength(1)
  })

  test('the tries that trips cost are made up for eight times', async () => {
    const store = await place.open()
    await acceptLeads(store, 1)
    for (let trips = 0; trips < 9; trips++) {
      const delivery = await claimOne(store, now)
      expect(delivery.triesSpent).toBe(0)
      await recordFor(store, delivery, bySchedule(now + minute))
      await store.breaker.trip(order('outage'))
      await store.breaker.answered('repeat', now)
    }
    expect(await claimAll(store, now + minute - 1)).toEqual([])
    expect((await claimOne(store, now + minute)).triesSpent).toBe(1)
  })

  test('an answer ends an outage once nobody waits who has nothing to do with those that failed', async () => {
    const store = await place.open()
    const leads = await acceptLeads(
      store,
      6,
      (index) => `198.51.${index < 2 ? 100 : index}.${index}`,
    )
    await store.breaker.trip(order('outage'))
    await failProbes(store, 1, 'outage')
    const answered: (string | undefined)[] = []
    for (let at = now + minute; (await store.breaker.read()).trip !== null; at++) {
      const probe = await store.queue.claimProbe(claimAt(at))
      answered.push(probe && leads.indexOf(probe.lead.id) < 2 ? 'akin' : probe?.probe)
      if (probe === undefined) break
      await recordFor(store, probe, { settledAs: 'delivered', at })
      await store.breaker.answered('first', at)
    }
    expect(answered).toEqual(['first', 'first', 'first', 'first'])
  })

  test('where leads were refused alone the next trips are patient, for every process, until it is we who are refused', async () => {
    const store = await place.open()
    await acceptLeads(store, 9)
    await store.breaker.trip(order('refused'))
    await failProbes(store, 1)
    await store.breaker.answered('akin', now)
    const other = await place.open()
    await other.breaker.trip(order('refused'))
    expect((await store.breaker.read()).trip?.enoughRefused).toBe(200)
    await store.breaker.answered('repeat', now)
    await other.breaker.trip(order('refused'))
    expect((await store.breaker.read()).trip?.enoughRefused).toBe(15)
  })
})
