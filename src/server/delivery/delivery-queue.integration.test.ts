import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { Store } from '#server/store/open-store.ts'
import { conflictOnce } from '#tests/store/conflict-once.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { runStoreProcesses } from '#tests/store/run-store-processes.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { makeDeliveryQueue } from './delivery-queue.ts'
import type { RecordedAttempt } from './record-attempts.ts'

const now = exampleTime
const leaseUntil = now + 60_000
const all = { now, leaseUntil, limit: 100 }

async function acceptLeads(store: Store, ...receivedAt: readonly number[]): Promise<string[]> {
  const arrivals = receivedAt.map((at) => exampleArrival({ receivedAt: at }))
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  return arrivals.map(({ lead }) => lead.id)
}

async function claimOne(store: Store, at = now): Promise<ClaimedDelivery> {
  const [delivery] = await store.queue.claimDue({ now: at, leaseUntil: at + 60_000, limit: 1 })
  if (delivery === undefined) throw new Error('nothing was due')
  return delivery
}

const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const broken: AttemptOutcome = { name: 'broken', httpStatus: 500, reason: 'server-error' }

function attemptAt(
  { id, lease }: ClaimedDelivery,
  outcome: AttemptOutcome,
  next: RecordedAttempt['next'],
): RecordedAttempt {
  const facts = { startedAt: now, durationMs: 120, outcome, next }
  return { id: randomUUIDv7(), deliveryId: id, lease, ...facts }
}

const retryBy = (retryAt: number) => ({ retryAt, setBy: 'schedule' }) as const
const settleAs = (settledAs: Settlement) => ({ settledAs, at: now + 120 })

describe.each(storePlaces)('the delivery queue on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('claims due deliveries, oldest first, and no more than requested', async () => {
    const store = await place.open()
    const [third, first, future, second] = await acceptLeads(
      store,
      now,
      now - 2000,
      now + 1,
      now - 1000,
    )
    const claim = async () =>
      (await store.queue.claimDue({ now, leaseUntil, limit: 2 })).map(({ lead }) => lead.id)
    expect(await claim()).toEqual([first, second])
    expect(await claim()).toEqual([third])
    expect(await claim()).toEqual([])
    expect((await claimOne(store, now + 1)).lead.id).toBe(future)
  })

  test('settled deliveries do not use up the limit of a claim', async () => {
    const store = await place.open()
    const [, later] = await acceptLeads(store, now - 1, now)
    const first = await claimOne(store)
    await store.queue.record(attemptAt(first, delivered, settleAs('delivered')))
    await store.database.db.updateTable('deliveries').set({ next_at: now }).execute()
    expect((await claimOne(store)).lead.id).toBe(later)
  })

  test('a conflict while the leads are read claims no second delivery', async () => {
    const store = await place.open()
    const [first, second] = await acceptLeads(store, now - 1, now)
    const queue = makeDeliveryQueue(conflictOnce(store.database, 'disclosures'))
    expect(await queue.claimDue({ ...all, limit: 1 })).toMatchObject([{ lead: { id: first } }])
    expect(await store.queue.claimDue(all)).toMatchObject([{ lead: { id: second } }])
  })

  test('a claimed delivery carries its whole lead', async () => {
    const store = await place.open()
    const arrival = exampleArrival()
    await store.intake.accept(arrival)
    expect(await claimOne(store)).toMatchObject({ lead: arrival.lead, attemptsSpent: 0 })
  })

  test('several processes that claim at once never get the same delivery', async () => {
    const store = await place.open()
    await acceptLeads(store, ...Array.from({ length: 60 }, (_, index) => now - index))
    const reports = await runStoreProcesses<string[]>(3, 'claim', place.settings())
    expect(reports.flat()).toHaveLength(60)
    expect(new Set(reports.flat()).size).toBe(60)
  })

  test('claims made at once on one store never overlap either', async () => {
    const store = await place.open()
    await acceptLeads(store, ...Array.from({ length: 40 }, () => now))
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => store.queue.claimDue({ now, leaseUntil, limit: 5 })),
    )
    const ids = claims.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a delivery whose lease has expired can be claimed again, under another lease', async () => {
    const store = await place.open()
    await acceptLeads(store, now)
    const first = await claimOne(store)
    expect(await store.queue.claimDue({ ...all, now: leaseUntil - 1 })).toEqual([])
    const again = await claimOne(store, leaseUntil)
    expect(again.id).toBe(first.id)
    expect(again.lease).not.toBe(first.lease)
  })

  test('a retry is due at its time and knows how many attempts there were', async () => {
    const store = await place.open()
    await acceptLeads(store, now)
    const retryAt = now + 5000
    expect(
      await store.queue.record(attemptAt(await claimOne(store), broken, retryBy(retryAt))),
    ).toBe(true)
    expect(await store.queue.claimDue({ ...all, now: retryAt - 1 })).toEqual([])
    expect(await claimOne(store, retryAt)).toMatchObject({ attemptsSpent: 1 })
  })

  test.each(['delivered', 'rejected', 'dead'] as const)(
    'settled as %s is never due again',
    async (settledAs) => {
      const store = await place.open()
      const [id = ''] = await acceptLeads(store, now)
      await store.queue.record(attemptAt(await claimOne(store), broken, settleAs(settledAs)))
      expect(await store.queue.claimDue({ ...all, now: now + 1e9 })).toEqual([])
      expect(await store.leadReader.find(id, now)).toMatchObject({
        status: settledAs,
        delivery: { settledAt: now + 120, nextAttemptAt: null },
      })
    },
  )

  test('a worker that lost its lease writes its attempt and changes nothing else', async () => {
    const store = await place.open()
    const [id = ''] = await acceptLeads(store, now)
    const stale = await claimOne(store)
    const current = await claimOne(store, leaseUntil)
    expect(await store.queue.record(attemptAt(stale, broken, settleAs('dead')))).toBe(false)
    expect(await store.queue.record(attemptAt(stale, broken, retryBy(now)))).toBe(false)
    const details = await store.leadReader.find(id, leaseUntil)
    expect(details).toMatchObject({ status: 'leased' })
    expect(details?.delivery?.attempts.map(({ outcome }) => outcome)).toEqual([
      'unknown',
      'broken',
      'broken',
    ])
    const rejected = attemptAt(current, broken, settleAs('rejected'))
    expect(await store.queue.record(rejected)).toBe(true)
  })

  test('a delivered lead is settled even after the lease is lost', async () => {
    const store = await place.open()
    const [id = ''] = await acceptLeads(store, now)
    const stale = await claimOne(store)
    const current = await claimOne(store, leaseUntil)
    expect(await store.queue.record(attemptAt(stale, delivered, settleAs('delivered')))).toBe(false)
    expect(await store.leadReader.find(id, leaseUntil)).toMatchObject({ status: 'delivered' })

    expect(await store.queue.record(attemptAt(current, broken, settleAs('dead')))).toBe(false)
    const later = { settledAs: 'delivered', at: now + 999 } as const
    expect(await store.queue.record(attemptAt(current, delivered, later))).toBe(false)
    const details = await store.leadReader.find(id, leaseUntil)
    expect(details).toMatchObject({ status: 'delivered', delivery: { settledAt: now + 120 } })
    expect(details?.delivery?.attempts).toHaveLength(4)
  })

  test('a dead delivery turns delivered when a late answer says so', async () => {
    const store = await place.open()
    const [id = ''] = await acceptLeads(store, now)
    const stale = await claimOne(store)
    const current = await claimOne(store, leaseUntil)
    await store.queue.record(attemptAt(current, broken, settleAs('dead')))
    await store.queue.record(attemptAt(stale, delivered, settleAs('delivered')))
    expect(await store.leadReader.find(id, leaseUntil)).toMatchObject({ status: 'delivered' })
  })

  test('deliveries that are given back can be claimed at once; a lost lease gives nothing back', async () => {
    const store = await place.open()
    await acceptLeads(store, now, now)
    const [first, second] = await store.queue.claimDue(all)
    if (first === undefined || second === undefined) throw new Error('two were due')
    await store.queue.giveBack([first, { ...second, lease: 'another' }])
    const claimed = await store.queue.claimDue({ ...all, now: now + 1 })
    expect(claimed.map(({ id }) => id)).toEqual([first.id])
  })

  test('releasing a settled delivery does not reopen it', async () => {
    const store = await place.open()
    await acceptLeads(store, now)
    const delivery = await claimOne(store)
    await store.queue.record(attemptAt(delivery, delivered, settleAs('delivered')))
    await store.queue.giveBack([delivery])
    await store.queue.giveBack([])
    expect(await store.queue.claimDue(all)).toEqual([])
  })
})
