import { describe, expect, test } from 'vitest'
import type { ManualSettlement } from '#domain/delivery/delivery.ts'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { storePlaces } from '#tests/store/store-places.ts'

const now = exampleTime
const minute = 60_000
const muchLater = now + 60 * minute

describe.each(storePlaces)('settling deliveries by hand on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('a settled delivery is not sent again, and shows who settled it', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const settle = (id: string, as: ManualSettlement, at: number) => settleLead(store, id, as, at)
    expect(await settle(ids.pending, 'delivered', now)).toEqual({ kind: 'settled', was: 'pending' })
    expect(await settle(ids.dead, 'rejected', now)).toEqual({ kind: 'settled', was: 'dead' })
    expect(await settle(ids.rejected, 'delivered', now)).toMatchObject({ kind: 'settled' })
    for (const [id, settledAs] of [
      [ids.pending, 'delivered'],
      [ids.dead, 'rejected'],
      [ids.rejected, 'delivered'],
    ] as const) {
      const details = await store.leadReader.find(id, now)
      expect(details).toMatchObject({ status: settledAs })
      expect(details?.delivery).toMatchObject({ settledAs, settledAt: now, isSettledByHand: true })
      expect(details?.delivery?.attempts).toHaveLength(1)
    }
    const claimed = await store.queue.claimDue({
      now: muchLater,
      leaseUntil: muchLater + minute,
      limit: 10,
    })
    expect(claimed.map(({ lead }) => lead.id)).toEqual([ids.leased])
    const byAnswer = await store.leadReader.find(ids.delivered, now)
    expect(byAnswer?.delivery).toMatchObject({ isSettledByHand: false })
  })

  test('of several concurrent calls one settles the delivery, and the others find it settled', async () => {
    const store = await place.open()
    const { pending, dead } = await storeLeadOfEachStatus(store)
    // The connections of the pool are open by now, so all eight calls run concurrently.
    for (const id of [dead, pending]) {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => settleLead(store, id, 'delivered', now)),
      )
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array.from({ length: 7 }, () => 'delivered'),
        'settled',
      ])
    }
  })

  test('a delivery that is settled, in progress or absent stays as it is', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    for (const status of ['delivered', 'leased', 'quarantined', 'erased'] as const) {
      const before = await store.leadReader.find(ids[status], now)
      expect(await settleLead(store, ids[status], 'rejected', now)).toEqual({
        kind: status,
      })
      expect(await store.leadReader.find(ids[status], now)).toEqual(before)
    }
    expect(await settleLead(store, ids.duplicate, 'delivered', now)).toMatchObject({
      kind: 'duplicate',
      of: expect.any(String),
    })
    expect(await settleLead(store, 'nobody', 'delivered', now)).toEqual({
      kind: 'unknown',
    })
  })

  test('a lead rejected by hand blocks no repeat; a lead delivered after all counts again', async () => {
    const store = await place.open()
    const enquire = () => store.intake.accept(exampleArrival({ email: 'ada@example.com' }))
    const first = await enquire()
    await settleLead(store, first.id, 'rejected', now)
    const second = await enquire()
    expect(second.duplicateOf).toBeNull()
    await settleLead(store, second.id, 'rejected', now)
    await settleLead(store, first.id, 'delivered', now)
    expect((await enquire()).duplicateOf).toBe(first.id)
  })

  test('after a restore every open delivery is in doubt until it is settled; later ones are not', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await markOpenInDoubt(store.database, muchLater)).toBe(2)
    const inDoubt = () =>
      store.leadReader.page({ now: muchLater, filter: { restored: ['in-doubt'] }, take: 10 })
    await store.intake.accept(exampleArrival({ email: 'later@example.com' }))
    expect((await inDoubt()).map(({ lead }) => lead.id).toSorted()).toEqual(
      [ids.pending, ids.leased].toSorted(),
    )
    expect((await store.leadReader.find(ids.pending, now))?.delivery).toMatchObject({
      restoredAt: muchLater,
    })
    await settleLead(store, ids.leased, 'delivered', muchLater)
    expect(await inDoubt()).toMatchObject([{ lead: { id: ids.pending } }])
    expect(await markOpenInDoubt(store.database, muchLater + 1)).toBe(2)
  })
})
