import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { postgresPlace, sqlitePlace, usePlace } from '#tests/store/store-places.ts'

const now = exampleTime
const claim = { now, leaseUntil: now + 60_000, limit: 10 }

describe('a delivery that another session has locked', () => {
  const place = usePlace(postgresPlace)

  test('does not block other claims, and is returned once it is free', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ receivedAt: now }))
    const claimed = await store.queue.claimDue(claim)
    const other = await store.intake.accept(exampleArrival({ receivedAt: now }))
    const psql = new Client({ connectionString: place.settings().databaseUrl })
    await psql.connect()
    await psql.query('begin')
    await psql.query('select id from deliveries where lease is not null for update')
    await store.queue.release(claimed)
    expect((await store.queue.claimDue(claim)).map(({ lead }) => lead.id)).toEqual([other.id])
    expect(await store.queue.returnLeases()).toBe(false)
    await psql.query('rollback')
    await psql.end()
    expect(await store.queue.claimDue(claim)).toMatchObject([{ attemptsBefore: 0 }])
    expect(await store.queue.returnLeases()).toBe(true)
  })
})

describe('a delivery whose return failed', () => {
  const place = usePlace(sqlitePlace)

  test('is returned before the next claim', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ receivedAt: now }))
    const claimed = await store.queue.claimDue(claim)
    await runInStore(
      place.settings(),
      `create trigger refusing before update on deliveries when new.lease is null
      begin select raise(abort, 'not now'); end`,
    )
    await expect(store.queue.release(claimed)).rejects.toThrow('not now')
    await runInStore(place.settings(), 'drop trigger refusing')
    expect(await store.queue.claimDue(claim)).toMatchObject([{ attemptsBefore: 0 }])
  })

  test('1,200 deliveries are given back at once', async () => {
    const store = await place.open()
    const arrivals = Array.from({ length: 1200 }, () => exampleArrival({ receivedAt: now }))
    await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    const all = { ...claim, limit: arrivals.length }
    await store.queue.release(await store.queue.claimDue(all))
    const again = await store.queue.claimDue(all)
    expect(again.map(({ attemptsBefore }) => attemptsBefore)).toEqual(arrivals.map(() => 0))
  })
})
