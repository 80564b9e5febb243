import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Cap, emptyCap } from '#domain/delivery/cap.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import { deleteExpiredRows } from '#server/store/expired-rows.ts'
import type { Store } from '#server/store/open-store.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { countHeld } from './cap-holds.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { makeCapActions } from './manage-caps.ts'
import type { RecordedAttempt } from './record-attempts.ts'

const zone = 'America/New_York'
/** Seven in the morning in New York, on the last day of a month. */
const now = Date.parse('2026-11-30T12:00:00Z')
const midnight = Date.parse('2026-12-01T05:00:00Z')
const minute = 60_000

const admin = { kind: 'command line', user: 'ada' } as const

const capsOf = (store: Store, at = now) =>
  makeCapActions({ ...store.operators, audit: store.audit, clock: () => at, zone })

async function addCap(store: Store, cap: Partial<Cap>): Promise<string> {
  await capsOf(store).save(admin, { ...emptyCap, ...cap })
  const listed = await capsOf(store).list(admin)
  return listed.at(-1)?.id ?? ''
}

async function acceptLeads(store: Store, count: number, lead: Partial<Lead> = {}) {
  const arrivals = Array.from({ length: count }, () => exampleArrival({ receivedAt: now, ...lead }))
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  return arrivals.map((arrival) => arrival.lead.id)
}

const claim = (store: Store, at = now, limit = 100) =>
  store.queue.claimDue({ now: at, leaseUntil: at + minute, limit, zone })

const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
const rejected: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const capReached: AttemptOutcome = { name: 'rejected', httpStatus: 200, cause: 'cap' }
const busy: AttemptOutcome = { name: 'busy', httpStatus: 503 }

function record(store: Store, { id, lease }: ClaimedDelivery, outcome: AttemptOutcome, at = now) {
  const next: RecordedAttempt['next'] =
    outcome.name === 'delivered' || outcome.name === 'rejected'
      ? { settledAs: outcome.name, at }
      : { retryAt: at + minute, setBy: 'schedule' }
  const times = { startedAt: at, durationMs: 0 }
  return store.queue.record({ id: randomUUIDv7(), deliveryId: id, lease, ...times, outcome, next })
}

const heldOf = async (store: Store, id: string) => {
  const found = await store.leadReader.find(id, now)
  return found?.delivery?.held
}

describe.each(storePlaces)('caps on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('with four workers, some of them killed, as many leads are accepted or undecided as the cap allows', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open()))
    const [store] = stores
    if (store === undefined) return
    await addCap(store, { maxLeads: 25, period: 'day' })
    await acceptLeads(store, 100)
    // The leads that the distributor has accepted, or may accept as far as anybody knows.
    const [placed, killed] = [new Set<string>(), new Set<string>()]
    const outcomes = [delivered, rejected, busy, delivered, undefined]
    let turn = 0
    const work = async (own: Store, at: number) => {
      for (const delivery of await claim(own, at, 4)) {
        const { id } = delivery.lead
        const outcome: AttemptOutcome | undefined = outcomes[turn++ % 5]
        placed.add(id)
        if (outcome === undefined) killed.add(id)
        else await record(own, delivery, outcome, at)
        if (outcome === rejected && !killed.has(id)) placed.delete(id)
      }
    }
    for (let round = 0; round < 8; round++) {
      await Promise.all(stores.map((own) => work(own, now + round * 2 * minute)))
    }
    // What is still due goes now, because the last rejections gave their places to held leads.
    for (let at = now + 60 * minute; ; at += 2 * minute) {
      const rest = await claim(store, at)
      if (rest.length === 0) break
      for (const delivery of rest) {
        placed.add(delivery.lead.id)
        await record(store, delivery, delivered, at)
      }
    }
    const stats = await store.leadReader.stats(now)
    expect(placed.size).toBe(25)
    expect(await capsOf(store).list(admin)).toMatchObject([{ used: 25 }])
    expect(stats.byStatus.rejected, 'rejections free their places').toBeGreaterThan(0)
    expect(stats.held, 'the others wait').toBeGreaterThan(0)
    expect(stats.leads).toBe(100)
  })

  test('four claims at the same moment take no more than the cap allows', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open()))
    const [store] = stores
    if (store === undefined) return
    await addCap(store, { maxLeads: 25 })
    await acceptLeads(store, 60)
    const claimed = await Promise.all(stores.map((own) => claim(own, now, 15)))
    expect(claimed.flat()).toHaveLength(25)
  })

  test('a held lead shows why it waits, is no backlog, and is sent when the period is over', async () => {
    const store = await place.open()
    await addCap(store, { maxLeads: 1, period: 'month' })
    const ids = await acceptLeads(store, 3)
    const [first] = await claim(store)
    expect(await claim(store)).toEqual([])
    const heldIds = ids.filter((id) => id !== first?.lead.id)
    expect(await heldOf(store, heldIds[0] ?? '')).toEqual({
      because: 'the cap of 1 lead a month is reached',
      capId: expect.any(String),
    })
    if (first) await record(store, first, delivered)
    const hourLater = now + 60 * minute
    expect(await store.backlog.read(hourLater)).toMatchObject({
      held: 2,
      due: { count: 0 },
      oldest: undefined,
    })
    expect(await store.leadReader.stats(hourLater)).toMatchObject({
      held: 2,
      oldestPendingAgeMs: null,
    })
    expect(await claim(store, midnight - 1)).toEqual([])
    expect(await claim(store, midnight)).toHaveLength(1)
  })

  test.each([0, 1])('a lead that two caps hold waits for the later of them (%i)', async (first) => {
    const store = await place.open()
    const eight = 8 * 60
    const two = [{ maxLeads: 1 }, { opensAt: eight, closesAt: eight + 60 }]
    await acceptLeads(store, 1)
    for (const delivery of await claim(store)) await record(store, delivery, delivered)
    for (const cap of first === 0 ? two : two.toReversed()) await addCap(store, cap)
    const [id = ''] = await acceptLeads(store, 1)
    expect(await claim(store)).toEqual([])
    expect(await heldOf(store, id)).toMatchObject({
      because: expect.stringContaining('the cap of 1 lead a day is reached'),
    })
    expect(await claim(store, now + 90 * minute), 'the first cap is open').toEqual([])
    const next = await store.operators.db
      .selectFrom('deliveries')
      .select('next_at')
      .where('lead_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(next.next_at).toBe(midnight)
  })

  test('what caps counted and held is deleted when no period can need it', async () => {
    const store = await place.open()
    await addCap(store, { maxLeads: 1 })
    await acceptLeads(store, 2)
    await claim(store)
    const { db } = store.operators
    const left = async (days: number) => {
      await deleteExpiredRows(db, now + days * 24 * 60 * minute)
      const [uses, holds] = await Promise.all([
        db.selectFrom('cap_uses').selectAll().execute(),
        db.selectFrom('held_deliveries').selectAll().execute(),
      ])
      return { uses: uses.length, holds: holds.length }
    }
    expect(await left(1), 'the hold has ended hours ago').toEqual({ uses: 1, holds: 1 })
    expect(await left(2)).toEqual({ uses: 1, holds: 0 })
    expect(await left(62), 'longer than two months').toEqual({ uses: 1, holds: 0 })
    expect(await left(63)).toEqual({ uses: 0, holds: 0 })
  })

  test('a retried delivery keeps its place, and a rejection gives its place to a held lead at once', async () => {
    const store = await place.open()
    await addCap(store, { maxLeads: 1 })
    await acceptLeads(store, 2)
    const [first] = await claim(store)
    if (first) await record(store, first, busy)
    const later = now + 2 * minute
    const [again] = await claim(store, later)
    expect(again?.id).toBe(first?.id)
    if (again) await record(store, again, rejected, later)
    const [second] = await claim(store, later)
    expect(second?.id).not.toBe(first?.id)
  })

  test('a lead that may have arrived keeps its place, although a later attempt was rejected', async () => {
    const store = await place.open()
    await addCap(store, { maxLeads: 1 })
    await acceptLeads(store, 2)
    await claim(store)
    const later = now + 2 * minute
    const [again] = await claim(store, later)
    if (again) await record(store, again, rejected, later)
    expect(await claim(store, later)).toEqual([])
  })

  test('a cap holds the leads of a blocked state, and no others', async () => {
    const store = await place.open()
    const capId = await addCap(store, { program: 12, blockedStates: ['TX'] })
    const [texan] = await acceptLeads(store, 1, { state: 'TX' })
    await acceptLeads(store, 1, { state: 'FL' })
    const claimed = await claim(store)
    expect(claimed).toMatchObject([{ lead: { state: 'FL' } }])
    expect(await heldOf(store, texan ?? '')).toEqual({
      because: 'leads from TX are not sent until an admin changes the cap',
      capId,
    })
  })

  test('the leads that a cap held are sent at once after it is deleted or raised', async () => {
    const store = await place.open()
    const capId = await addCap(store, { maxLeads: 1 })
    await acceptLeads(store, 4)
    expect(await claim(store)).toHaveLength(1)
    expect(await claim(store)).toEqual([])
    await capsOf(store).save(admin, { ...emptyCap, maxLeads: 2 }, capId)
    expect(await claim(store)).toHaveLength(1)
    expect(await claim(store)).toEqual([])
    expect(await capsOf(store).remove(admin, capId), 'leads sent').toBe(2)
    expect(await capsOf(store).remove(admin, capId)).toBeUndefined()
    expect(await claim(store)).toHaveLength(2)
  })

  test('a cap that is lowered below what is used sends nothing until the next period', async () => {
    const store = await place.open()
    const capId = await addCap(store, { maxLeads: 5 })
    await acceptLeads(store, 3)
    for (const delivery of await claim(store)) await record(store, delivery, delivered)
    await capsOf(store).save(admin, { ...emptyCap, maxLeads: 2 }, capId)
    await acceptLeads(store, 1)
    expect(await claim(store)).toEqual([])
    expect(await capsOf(store).list(admin)).toMatchObject([{ used: 3, held: 1, maxLeads: 2 }])
    expect(await claim(store, midnight)).toHaveLength(1)
  })

  test('a new cap counts what was accepted since the period began', async () => {
    const store = await place.open()
    await acceptLeads(store, 2)
    for (const delivery of await claim(store)) await record(store, delivery, delivered)
    await addCap(store, { maxLeads: 2, period: 'month' })
    await addCap(store, { program: 99, maxLeads: 2 })
    expect(await capsOf(store).list(admin)).toMatchObject([{ used: 2 }, { used: 0 }])
    await acceptLeads(store, 1)
    expect(await claim(store)).toEqual([])
  })

  test('the distributor’s answer makes a cap full that follows it, and no other', async () => {
    const store = await place.open()
    await addCap(store, { program: 12, followsDistributor: true })
    await addCap(store, { maxLeads: 10 })
    await acceptLeads(store, 2)
    const [first, second] = await claim(store)
    if (first) await record(store, first, capReached)
    if (second) await record(store, second, delivered)
    expect(await capsOf(store).list(admin)).toMatchObject([{ isFull: true }, { isFull: false }])
    await acceptLeads(store, 1)
    expect(await claim(store)).toEqual([])
    expect(await claim(store, midnight)).toHaveLength(1)
  })

  test('a cap of an affiliate concerns all ids that the affiliate sends, in any case', async () => {
    const store = await place.open()
    const { db } = store.database
    const row = { id: 'acme', name: 'Acme', notes: '', created_at: now }
    await db.insertInto('affiliates').values(row).execute()
    const ids = ['Acme 1', 'acme 2'].map((affid) => ({ affid, affiliate_id: 'acme' }))
    // Release 0.3.0 allowed another affiliate to have the id in other letters.
    const others = { affid: 'ACME 2', affiliate_id: 'bolt' }
    await db
      .insertInto('affiliate_ids')
      .values([...ids, others])
      .execute()
    // Setting the affiliate's cap again changes it.
    for (const maxLeads of [9, 1]) {
      await capsOf(store).setForAffiliate(admin, 'acme', { maxLeads, period: 'day' })
    }
    expect(await capsOf(store).list(admin)).toMatchObject([{ affiliate: 'Acme', maxLeads: 1 }])
    const other = { ...emptyCap, affiliateId: 'nobody', maxLeads: 1 }
    expect(await capsOf(store).save(admin, other)).toBe('no affiliate')
    for (const subId of ['ACME 1', 'acme 2', 'ACME 2']) await acceptLeads(store, 1, { subId })
    const claimed = await claim(store)
    const claimedIds = claimed.map(({ lead }) => 'subId' in lead && lead.subId)
    expect(claimedIds).toContain('ACME 2')
    expect(claimedIds).toHaveLength(2)
  })

  test('setting an affiliate’s cap, like saving the form, ends the wait for the distributor’s next month', async () => {
    const store = await place.open()
    const row = { id: 'acme', name: 'Acme', notes: '', created_at: now }
    await store.database.db.insertInto('affiliates').values(row).execute()
    await store.database.db
      .insertInto('affiliate_ids')
      .values({ affid: 'a', affiliate_id: 'acme' })
      .execute()
    const cap = {
      affiliateId: 'acme',
      maxLeads: 50,
      period: 'month',
      followsDistributor: true,
    } as const
    await addCap(store, cap)
    await acceptLeads(store, 3, { subId: 'a' })
    const [first] = await claim(store, now, 1)
    if (first) await record(store, first, capReached)
    expect(await claim(store)).toEqual([])
    expect(await capsOf(store).list(admin)).toMatchObject([{ isFull: true, held: 2 }])
    await capsOf(store).setForAffiliate(admin, 'acme', { maxLeads: 60, period: 'month' })
    expect(await capsOf(store).list(admin)).toMatchObject([{ isFull: false, maxLeads: 60 }])
    expect(await claim(store)).toHaveLength(2)
  })

  test('leads settled by hand as delivered count, whatever they were before, and no lead counts twice', async () => {
    const store = await place.open()
    const ids = await acceptLeads(store, 7)
    const dead = await claim(store, now, 2)
    for (const { id, lease } of dead) {
      const times = { startedAt: now, durationMs: 0, outcome: busy } as const
      const next = { settledAs: 'dead', at: now } as const
      await store.queue.record({ id: randomUUIDv7(), deliveryId: id, lease, ...times, next })
    }
    const capId = await addCap(store, { maxLeads: 4 })
    const [sent] = await claim(store, now, 1)
    const used = async () => (await capsOf(store).list(admin)).map((cap) => cap.used)
    expect(await used()).toEqual([1])
    // One dead lead, one waiting lead, and the lead that a worker had when its process ended.
    const others = ids.filter(
      (id) => id !== sent?.lead.id && !dead.some(({ lead }) => lead.id === id),
    )
    const later = now + 2 * minute
    for (const id of [dead[0]?.lead.id ?? '', others[0] ?? '', sent?.lead.id ?? '']) {
      expect(await settleLead(store, id, 'delivered', later)).toMatchObject({
        kind: 'settled',
      })
    }
    expect(await used()).toEqual([3])
    expect(await claim(store, later), 'the cap has one place left').toHaveLength(1)
    await capsOf(store, later).save(admin, { ...emptyCap, maxLeads: 4 }, capId)
    expect(await used(), 'a saved cap counts the same leads').toEqual([4])
  })

  test('a lead without an answer gives up its place when it is settled as rejected, and takes it back when the answer comes late', async () => {
    const store = await place.open()
    await addCap(store, { maxLeads: 1 })
    await acceptLeads(store, 2)
    const [first] = await claim(store)
    const later = now + 2 * minute
    if (first === undefined) throw new Error('nothing was claimed')
    await settleLead(store, first.lead.id, 'rejected', later)
    expect(await capsOf(store).list(admin)).toMatchObject([{ used: 0 }])
    await record(store, first, delivered, later)
    expect(await capsOf(store).list(admin)).toMatchObject([{ used: 1 }])
    expect(await claim(store, later)).toEqual([])
  })

  test('an erased lead that was never sent gives its place to a held lead; an erased accepted lead keeps its place', async () => {
    const store = await place.open()
    const capId = await addCap(store, { maxLeads: 2, state: 'TX' })
    await acceptLeads(store, 3, { state: 'TX' })
    const [accepted, tried] = await claim(store)
    if (accepted === undefined || tried === undefined) throw new Error('not claimed')
    await record(store, accepted, delivered)
    await record(store, tried, busy)
    for (const { lead } of [accepted, tried]) await store.erasure.erase({ leadId: lead.id }, now)
    const [third, ...rest] = await claim(store)
    expect([third?.attemptsBefore, rest]).toEqual([0, []])
    await capsOf(store).save(
      admin,
      { ...emptyCap, maxLeads: 2, state: 'TX', period: 'month' },
      capId,
    )
    await capsOf(store).save(admin, { ...emptyCap, maxLeads: 2, state: 'TX' }, capId)
    expect(await capsOf(store).list(admin)).toMatchObject([{ used: 2 }])
    await acceptLeads(store, 1, { state: 'TX' })
    expect(await claim(store)).toEqual([])
  })

  test('a cap counts the same leads after the school’s time zone has changed', async () => {
    const store = await place.open()
    await addCap(store, { maxLeads: 2 })
    await acceptLeads(store, 3)
    expect(await claim(store)).toHaveLength(2)
    // In Auckland, this moment is on the next day and in the next month.
    const auckland = 'Pacific/Auckland'
    const caps = makeCapActions({
      ...store.operators,
      audit: store.audit,
      clock: () => now,
      zone: auckland,
    })
    expect(await caps.list(admin)).toMatchObject([{ used: 2 }])
    const request = { now: now + 2 * minute, leaseUntil: now + 3 * minute, limit: 9 }
    await store.database.db.updateTable('deliveries').set({ next_at: now }).execute()
    expect(await store.queue.claimDue({ ...request, zone: auckland })).toHaveLength(2)
    expect(await caps.list(admin)).toMatchObject([{ used: 2, held: 1 }])
  })

  test('a saved cap does not count restored leads that nobody has sent', async () => {
    const store = await place.open()
    const capId = await addCap(store, { maxLeads: 1 })
    await acceptLeads(store, 3)
    const [first] = await claim(store)
    await markOpenInDoubt(store.database, now)
    await capsOf(store).save(admin, { ...emptyCap, maxLeads: 2 }, capId)
    expect(await capsOf(store).list(admin)).toMatchObject([{ used: 1 }])
    expect((await claim(store)).map(({ id }) => id)).not.toContain(first?.id)
  })

  test('a deleted cap releases the leads that no other cap holds', async () => {
    const store = await place.open()
    await addCap(store, { maxLeads: 3 })
    const inner = await addCap(store, { state: 'TX', maxLeads: 1 })
    await acceptLeads(store, 5, { state: 'TX' })
    await acceptLeads(store, 1)
    expect(await claim(store)).toHaveLength(2)
    const caps = capsOf(store)
    expect(await countHeld(store.database.db, [inner])).toBe(4)
    expect(await caps.remove(admin, inner)).toBe(4)
    expect(await claim(store)).toHaveLength(1)
    expect((await caps.list(admin)).map(({ held }) => held)).toEqual([3])
  })
})
