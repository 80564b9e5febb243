import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openLeadDatabase } from '#server/platform/database/store-state.ts'
import { ConnectionLostError } from '#server/platform/faults/database-errors.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { postgresPlace, sqlitePlace, usePlace } from '#tests/store/store-places.ts'
import type { LeaseRequest } from './claim-deliveries.ts'
import { makeDeliveryQueue } from './delivery-queue.ts'

const now = exampleTime
const claim = { now, leaseUntil: now + 60_000, limit: 10 }

describe('a claim with an unknown result', () => {
  const place = usePlace(postgresPlace)

  test('is returned if it takes effect after its connection has ended, and counts as never sent', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ receivedAt: now }))
    const database = await openLeadDatabase('unused', place.settings().databaseUrl)
    onTestFinished(() => database.db.destroy())
    const server = await database.db.startTransaction().execute()
    let calls = 0
    const queue = makeDeliveryQueue({
      ...database,
      run: async (work, given) => {
        if (++calls > 1) return database.run(work, given)
        const { lease, leaseUntil } = given as unknown as LeaseRequest
        await server.updateTable('deliveries').set({ lease, next_at: leaseUntil }).execute()
        throw new ConnectionLostError('PostgreSQL has not answered.')
      },
    })
    await expect(queue.claimDue(claim)).rejects.toThrow(ConnectionLostError)
    expect(await queue.claimDue(claim)).toEqual([])
    expect(await queue.returnLeases(now)).toBe(false)
    const others = await store.intake.accept(exampleArrival({ receivedAt: now }))
    expect(await store.queue.claimDue(claim)).toMatchObject([{ lead: { id: others.id } }])
    expect(await queue.returnLeases(now)).toBe(false)
    expect(await queue.claimDue(claim), 'another worker is sending its lead').toEqual([])
    await server.commit().execute()
    expect(await queue.claimDue(claim)).toMatchObject([{ attemptsBefore: 0, attemptsSpent: 0 }])
    expect(await queue.returnLeases(now)).toBe(true)
  })

  test('is none if the database answered with an error', async () => {
    const database = await openLeadDatabase('unused', place.settings().databaseUrl)
    onTestFinished(() => database.db.destroy())
    const refuse = () => sql`select 1 / 0`.execute(database.db)
    const queue = makeDeliveryQueue({ ...database, run: () => refuse() as Promise<never> })
    await expect(queue.claimDue(claim)).rejects.toThrow('division by zero')
    expect(await queue.returnLeases(now)).toBe(true)
  })

  test('is looked for until its lease would have ended', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ receivedAt: now }))
    const database = await openLeadDatabase('unused', place.settings().databaseUrl)
    onTestFinished(() => database.db.destroy())
    const queue = makeDeliveryQueue({
      ...database,
      run: async () => Promise.reject(new ConnectionLostError('PostgreSQL has not answered.')),
    })
    await expect(queue.claimDue(claim)).rejects.toThrow(ConnectionLostError)
    expect(await queue.returnLeases(claim.leaseUntil - 1)).toBe(false)
    expect(await queue.returnLeases(claim.leaseUntil)).toBe(true)
  })
})

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
    await store.queue.giveBack(claimed)
    expect((await store.queue.claimDue(claim)).map(({ lead }) => lead.id)).toEqual([other.id])
    expect(await store.queue.returnLeases(now)).toBe(false)
    await psql.query('rollback')
    await psql.end()
    expect(await store.queue.claimDue(claim)).toMatchObject([{ attemptsBefore: 0 }])
    expect(await store.queue.returnLeases(now)).toBe(true)
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
    await expect(store.queue.giveBack(claimed)).rejects.toThrow('not now')
    await runInStore(place.settings(), 'drop trigger refusing')
    expect(await store.queue.claimDue(claim)).toMatchObject([{ attemptsBefore: 0 }])
  })

  test('1,200 deliveries are given back at once', async () => {
    const store = await place.open()
    const arrivals = Array.from({ length: 1200 }, () => exampleArrival({ receivedAt: now }))
    await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    const all = { ...claim, limit: arrivals.length }
    await store.queue.giveBack(await store.queue.claimDue(all))
    const again = await store.queue.claimDue(all)
    expect(again.map(({ attemptsBefore }) => attemptsBefore)).toEqual(arrivals.map(() => 0))
  })
})
