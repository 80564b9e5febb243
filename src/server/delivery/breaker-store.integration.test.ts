import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { TripCause } from '#domain/delivery/breaker.ts'
import type { DeliveryNextStep } from '#domain/delivery/delivery.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival, exampleTime as now } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import type { TripStart } from './breaker-store.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

const minute = 60_000
const claimAt = (at: number) => ({ now: at, leaseUntil: at + minute })
const claim = claimAt(now)

const order = (cause: TripCause, more: Partial<TripStart> = {}): TripStart => ({
  cause,
  reason: 'HTTP 403',
  since: now,
  at: now,
  ...more,
})

/** Accepts leads that were received a minute ago, one millisecond apart. */
async function acceptLeads(store: Store, count: number): Promise<string[]> {
  const arrivals = Array.from({ length: count }, (_, index) =>
    exampleArrival({ receivedAt: now - minute + index }),
  )
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  return arrivals.map(({ lead }) => lead.id)
}

/** Records a refused attempt of a claimed delivery. */
const recordFor = (
  store: Store,
  { id, lease }: ClaimedDelivery,
  { at = now, ...next }: DeliveryNextStep & { readonly at?: number },
) =>
  store.queue.record({
    id: randomUUIDv7(),
    deliveryId: id,
    lease,
    startedAt: at,
    durationMs: 0,
    outcome: { name: 'refused', httpStatus: 403 },
    next: { ...next, ...('settledAs' in next ? { at } : {}) } as DeliveryNextStep,
  })

const bySchedule = (retryAt: number) => ({ retryAt, setBy: 'schedule' }) as const

async function claimOne(store: Store, at: number): Promise<ClaimedDelivery> {
  const [delivery] = await store.queue.claimDue({ ...claimAt(at), limit: 1 })
  if (delivery === undefined) throw new Error('nothing was due')
  return delivery
}

/** Claims all due deliveries and resolves with the leads' ids, oldest due first. */
async function claimAll(store: Store, at = now): Promise<string[]> {
  const due = await store.queue.claimDue({ ...claimAt(at), limit: 100 })
  return due.map(({ lead }) => lead.id)
}

/** Sends the next probe when it is due and records its failure; undefined if there was no delivery for the probe. */
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

  test('is closed at first; a pause applies to every process, allows no probe, and ends only when somebody resumes', async () => {
    const { breaker, queue } = await place.open()
    const other = await place.open()
    expect(await breaker.read()).toEqual({ pause: null, trip: null })
    expect([
      await breaker.resume({ reason: '', at: now }),
      await breaker.answered('untried'),
    ]).toEqual([false, false])
    await acceptLeads(other, 1)
    expect(await breaker.pause({ reason: 'holiday', at: now })).toBe(true)
    const pause = { reason: 'holiday', since: now }
    expect(await other.breaker.read()).toEqual({ pause, trip: null })
    await breaker.workerStarted(now)
    expect(await queue.claimProbe(claim)).toBeUndefined()
    expect(await breaker.answered('untried')).toBe(false)
    expect(await breaker.trip(order('refused'))).toBe(false)
    expect(await breaker.pause({ reason: 'and tomorrow', at: now + 1 })).toBe(false)
    expect(await other.breaker.read()).toEqual({
      pause: { reason: 'and tomorrow', since: now + 1 },
      trip: null,
    })
    expect(await other.breaker.resume({ reason: '', at: now })).toBe(true)
    expect(await breaker.read()).toEqual({ pause: null, trip: null })
  })

  test('a pause replaces a trip and gives leads their attempts back', async () => {
    const store = await place.open()
    await acceptLeads(store, 1)
    for (const cause of ['refused', 'outage'] as const) {
      await store.breaker.trip(order(cause))
      await failProbe(store, cause)
      expect(await store.breaker.pause({ reason: 'I see to it', at: now + 1 })).toBe(true)
      const pause = { reason: 'I see to it', since: now + 1 }
      expect(await store.breaker.read()).toEqual({ pause, trip: null })
      expect(await store.queue.claimProbe(claimAt(now + 10 * minute))).toBeUndefined()
      expect(await store.breaker.answered('untried')).toBe(false)
      await store.breaker.resume({ reason: '', at: now })
      const delivery = await claimOne(store, now)
      expect(delivery.attemptsSpent).toBe(0)
      await store.queue.giveBack([delivery])
    }
  })

  test('“try now” allows the next probe at once, and “resume” does not end an outage', async () => {
    const store = await place.open()
    const [tried, waiting] = await acceptLeads(store, 2)
    expect(await store.breaker.tryNow({ at: now }), 'closed').toBe(false)
    await store.breaker.trip(order('refused'))
    await failProbes(store, 2, 'refused')
    // Both leads wait: one for the schedule, and one because the distributor asked for an hour.
    await store.database.db
      .updateTable('deliveries')
      .set({ next_at: now + 60 * minute, waits_since: null })
      .where('lead_id', '=', waiting ?? '')
      .execute()
    await store.database.db
      .updateTable('deliveries')
      .set({ next_at: now + 61 * minute, waits_since: null })
      .where('lead_id', '=', tried ?? '')
      .execute()
    expect(await store.breaker.resume({ reason: '', at: now })).toBe(false)
    expect(await store.queue.claimProbe(claimAt(now + 1))).toBeUndefined()
    expect(await store.breaker.tryNow({ at: now + 2 })).toBe(true)
    const probe = await store.queue.claimProbe(claimAt(now + 2))
    expect(probe?.lead.id).toBe(waiting)
    expect(await store.breaker.tryNow({ at: now + 3 }), 'a call is under way').toBe(false)
    expect((await store.breaker.read()).trip).toMatchObject({ cause: 'refused', since: now })
    expect(await store.queue.claimProbe(claimAt(now + 3))).toBeUndefined()
    await store.breaker.pause({ reason: '', at: now + 4 })
    expect(await store.breaker.tryNow({ at: now + 5 }), 'paused').toBe(false)
  })

  test('however many workers ask, one probe is in progress; it counts as lost when its lease has ended', async () => {
    const store = await place.open()
    const other = await place.open()
    const leads = await acceptLeads(store, 20)
    expect(await store.breaker.trip(order('outage', { since: now - 10 }))).toBe(true)
    expect(await other.breaker.trip(order('refused'))).toBe(false)
    const at = now + 1000
    const queues = [store, other].flatMap(({ queue }) => [queue, queue, queue, queue])
    const early = await Promise.all(queues.map((queue) => queue.claimProbe(claimAt(at - 1))))
    expect(early.filter((probe) => probe !== undefined)).toEqual([])
    const probes = await Promise.all(queues.map((queue) => queue.claimProbe(claimAt(at))))
    const taken = probes.filter((probe) => probe !== undefined)
    expect(taken.map(({ probe }) => probe)).toEqual(['untried'])
    const failed = { kind: 'untried', cause: 'outage', reason: '', at } as const
    await store.breaker.probeFailed({ lease: 'another', ...failed })
    const lost = { ...claimAt(at + minute), limit: 1 }
    expect(await other.queue.claimProbe({ ...lost, now: lost.now - 1 })).toBeUndefined()
    const next = (await other.queue.claimProbe(lost))?.lead.id
    expect(leads).toContain(next)
    expect((await store.breaker.read()).trip).toMatchObject({ since: now - 10, reason: 'HTTP 403' })
  })

  test('an unused probe is allowed again at once; without a due lead no probe is used', async () => {
    const store = await place.open()
    await store.breaker.trip(order('refused'))
    expect(await store.queue.claimProbe(claim)).toBeUndefined()
    await acceptLeads(store, 1)
    const probe = await store.queue.claimProbe(claim)
    if (probe === undefined) throw new Error('there was no probe')
    await store.queue.giveBack([probe])
    expect(await store.queue.claimProbe(claim)).toBeUndefined()
    await store.breaker.probeNotMade({ lease: probe.lease, at: now + 1 })
    expect(await store.queue.claimProbe(claimAt(now + 1))).toMatchObject({ id: probe.id })
  })

  test('probes choose other leads at random, no lead twice', async () => {
    const store = await place.open()
    const leads = await acceptLeads(store, 30)
    await store.breaker.trip(order('refused'))
    const tried = await failProbes(store, 30)
    expect(tried.toSorted()).toEqual(leads.toSorted())
    expect(tried).not.toEqual(leads)
    expect(await failProbe(store)).toBeUndefined()
  })

  test('probes first send leads that never failed, then those that failed before the trip, then those that failed during it', async () => {
    const store = await place.open()
    const [failedBefore = '', ...fresh] = await acceptLeads(store, 3)
    await recordFor(store, await claimOne(store, now - 10), { ...bySchedule(now - 1), at: now - 9 })
    await store.breaker.trip(order('refused'))
    const tried = await failProbes(store, 3)
    expect(tried.slice(0, 2).toSorted()).toEqual(fresh.toSorted())
    expect(tried[2]).toBe(failedBefore)
    expect(await failProbe(store)).toBeUndefined()
    // A repeated probe is due five minutes after the previous probe.
    const again = await failProbe(store, 'refused', 5 * minute)
    expect(tried).toContain(again?.lead)
    expect(again?.kind).toBe('repeat')
    const next = await failProbe(store, 'refused', 5 * minute)
    expect(next?.kind).toBe('repeat')
    expect(next?.lead).not.toBe(again?.lead)
  })

  test('a worker’s start allows a probe at once, at most once in five minutes', async () => {
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

  test('if another lead is accepted before the distributor is to blame, the refused lead has used up an attempt and waits', async () => {
    const store = await place.open()
    const leads = await acceptLeads(store, 2)
    await store.breaker.trip(order('refused'))
    const [refused] = await failProbes(store, 1)
    expect(await store.breaker.answered('untried')).toBe(true)
    expect(await store.breaker.read()).toEqual({ pause: null, trip: null })
    expect(await claimAll(store, now + 4999)).toEqual(leads.filter((id) => id !== refused))
    expect(await claimOne(store, now + 5000)).toMatchObject({
      lead: { id: refused },
      attemptsSpent: 1,
    })
  })

  test.each(['answered', 'a lead that was refused'] as const)(
    'closed by %s: all is due, the oldest first, and has spent nothing; a wait that the distributor asked for stays',
    async (end) => {
      const store = await place.open()
      const leads = await acceptLeads(store, 17)
      await recordFor(store, await claimOne(store, now), {
        retryAt: now + 10 * minute,
        setBy: 'distributor',
      })
      const cause = end === 'answered' ? 'outage' : 'refused'
      await store.breaker.trip(order(cause))
      await failProbes(store, 3, cause)
      await store.breaker.answered(end === 'answered' ? 'untried' : 'repeat')
      const due = await store.queue.claimDue({ ...claimAt(now + minute), limit: 100 })
      expect(due.map(({ lead }) => lead.id)).toEqual(leads.slice(1))
      expect(due.every(({ attemptsSpent }) => attemptsSpent === 0)).toBe(true)
    },
  )

  test('a lead that failed before a trip keeps waiting, and sending it as a probe uses up no attempt', async () => {
    const store = await place.open()
    await acceptLeads(store, 2)
    await recordFor(store, await claimOne(store, now), bySchedule(now + 20 * minute))
    await store.breaker.trip(order('outage', { since: now + 1, at: now + 1 }))
    await failProbe(store, 'outage')
    for (let again = 0; again < 9; again++) {
      const { lease, probe, ...delivery } = (await store.queue.claimProbe(
        claimAt(now + (again + 1) * minute),
      )) as ClaimedDelivery
      expect({ probe, attemptsSpent: delivery.attemptsSpent }).toEqual({
        probe: 'repeat',
        attemptsSpent: 1,
      })
      const at = now + (again + 1) * minute
      const failed = { kind: 'repeat', cause: 'outage', reason: '', at } as const
      await store.breaker.probeFailed({ lease, ...failed })
      await recordFor(
        store,
        { ...delivery, lease },
        { ...bySchedule(at + 40 * minute), spends: 'nothing', at },
      )
    }
    await store.breaker.answered('repeat')
    expect(await claimAll(store, now + 20 * minute - 1)).toEqual([])
    expect(await claimAll(store, now + 20 * minute)).toHaveLength(1)
  })

  test('a lead that is being sent as a probe when the distributor answers is not sent twice', async () => {
    const store = await place.open()
    await acceptLeads(store, 2)
    await store.breaker.trip(order('outage'))
    await failProbes(store, 2, 'outage')
    const probe = await store.queue.claimProbe(claimAt(now + minute))
    expect(probe?.probe).toBe('repeat')
    await store.breaker.answered('repeat')
    const due = await claimAll(store, now + minute)
    expect(due).toHaveLength(1)
    expect(due).not.toContain(probe?.lead.id)
  })

  test('a lead gets an attempt back at most eight times', async () => {
    const store = await place.open()
    await acceptLeads(store, 1)
    for (let trips = 0; trips < 9; trips++) {
      const delivery = await claimOne(store, now)
      expect(delivery.attemptsSpent).toBe(0)
      await recordFor(store, delivery, bySchedule(now + minute))
      await store.breaker.trip(order('outage'))
      await store.breaker.answered('repeat')
    }
    expect(await claimAll(store, now + minute - 1)).toEqual([])
    expect((await claimOne(store, now + minute)).attemptsSpent).toBe(1)
  })
})
