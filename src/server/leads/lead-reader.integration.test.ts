import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import type { SendResult } from '#server/delivery/distributor-client.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { sqlitePlace, storePlaces } from '#tests/store/store-places.ts'
import type { LeadCursor } from './find-leads.ts'
import { toLeadSummary } from './read-leads.ts'

const minute = 60_000
const month = 31 * 24 * 60 * minute
const now = exampleTime

describe.each(storePlaces)('the lead reader on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('lists the newest first, a page at a time', async () => {
    const store = await place.open()
    const ids = Object.values(await storeLeadOfEachStatus(store)).toReversed()
    const page = async (after: string | undefined, take: number) => {
      const place =
        after === undefined ? undefined : (await store.leadReader.find(after, now))?.lead
      return (await store.leadReader.page({ now, after: place, take })).map(({ lead }) => lead.id)
    }
    expect(await page(undefined, 100)).toEqual(ids)
    expect(await page(ids[0], 2)).toEqual(ids.slice(1, 3))
    expect(await page(ids.at(-1), 2)).toEqual([])
  })

  test('sorts leads of the same millisecond by id', async () => {
    const store = await place.open()
    const arrivals = Array.from({ length: 5 }, () => exampleArrival())
    await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    const listed: LeadCursor[] = []
    for (const take of [2, 2, 2]) {
      const filter = { status: ['pending'] } as const
      const page = await store.leadReader.page({ now, filter, after: listed.at(-1), take })
      listed.push(...page.map(({ lead }) => lead))
    }
    expect(listed.map(({ id }) => id)).toEqual(
      arrivals
        .map(({ lead }) => lead.id)
        .toSorted()
        .toReversed(),
    )
  })

  test('a listed lead has its name, program and status', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const filter = { status: ['rejected'] } as const
    const listed = await store.leadReader.page({ now, filter, take: 10 })
    expect(listed.map(toLeadSummary)[0]).toMatchObject({
      id: ids.rejected,
      receivedAt: now - 7 * minute,
      area: 'healthcare',
      name: "Zoë O'Neill",
      email: 'rejected@example.com',
      programName: 'B.S. Nursing (RN to BSN)',
      isUnreadable: false,
      status: 'rejected',
      attempts: 1,
      error: 'cap',
      isHeld: false,
      isReturned: false,
      signals: [],
      corrects: null,
      correctedBy: [],
    })
  })

  test.each(leadStatuses)('lists only leads with the status %s', async (status) => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const listed = await store.leadReader.page({ now, filter: { status: [status] }, take: 10 })
    expect(listed.map(({ lead }) => lead.id)).toEqual([ids[status]])
    expect(listed.map((lead) => lead.status)).toEqual([status])
    expect(await store.leadReader.find(ids[status], now)).toMatchObject({ status })
  })

  test('lists leads of an area or a period', async () => {
    const store = await place.open()
    const old = exampleArrival({ receivedAt: now - minute, area: 'business' })
    const recent = exampleArrival()
    for (const arrival of [old, recent]) await store.intake.accept(arrival)
    const idsOf = async (filter: Partial<LeadFilter>) =>
      (await store.leadReader.page({ now, take: 10, filter })).map(({ lead }) => lead.id)
    expect(await idsOf({ area: ['business'] })).toEqual([old.lead.id])
    for (const status of [[], ['pending']] as const) {
      expect(await idsOf({ status, since: now })).toEqual([recent.lead.id])
      expect(await idsOf({ status, until: now })).toEqual([old.lead.id])
    }
  })

  test('counts leads and attempts', async () => {
    const store = await place.open()
    const none = {
      pending: 0,
      leased: 0,
      delivered: 0,
      rejected: 0,
      dead: 0,
      'do-not-contact': 0,
      duplicate: 0,
      quarantined: 0,
      erased: 0,
    }
    expect(await store.leadReader.stats(now)).toEqual({
      leads: 0,
      byStatus: none,
      rejectedByCap: 0,
      unreadable: 0,
      deliveredThenErased: 0,
      retriedRejections: 0,
      held: 0,
      returned: 0,
      notifications: { waiting: 0, sent: 0, ended: 0 },
      erasedBy: { request: 0, retention: 0 },
      attempts: 0,
      attemptsByOutcome: {},
      duplicatesPossiblySent: 0,
      oldestPendingAgeMs: null,
    })
    await storeLeadOfEachStatus(store)
    expect(await store.leadReader.stats(now)).toEqual({
      leads: 9,
      byStatus: {
        pending: 1,
        leased: 1,
        delivered: 1,
        rejected: 1,
        dead: 1,
        'do-not-contact': 1,
        duplicate: 1,
        quarantined: 1,
        erased: 1,
      },
      rejectedByCap: 1,
      unreadable: 0,
      deliveredThenErased: 0,
      retriedRejections: 0,
      held: 0,
      returned: 0,
      notifications: { waiting: 0, sent: 0, ended: 0 },
      erasedBy: { request: 1, retention: 0 },
      attempts: 4,
      attemptsByOutcome: { unknown: 1, delivered: 1, rejected: 1, broken: 1 },
      duplicatesPossiblySent: 0,
      oldestPendingAgeMs: 10 * minute,
    })
    // A process of the previous release may have stored a lead with a clock that was ahead.
    const hoursBefore = await store.leadReader.stats(now - 120 * minute)
    expect(hoursBefore.oldestPendingAgeMs).toBe(0)
  })

  test('counts a second attempt after an unknown outcome as a possible duplicate', async () => {
    const store = await place.open()
    await storeLeadOfEachStatus(store)
    const later = now + 6 * minute
    const [again] = await store.queue.claimDue({ now: later, leaseUntil: later + minute, limit: 1 })
    await store.queue.record({
      id: randomUUIDv7(),
      deliveryId: again?.id ?? '',
      lease: again?.lease ?? '',
      startedAt: later,
      durationMs: 5,
      outcome: { name: 'delivered', httpStatus: 200 },
      next: { settledAs: 'delivered', at: later },
    })
    expect(await store.leadReader.stats(later)).toMatchObject({ duplicatesPossiblySent: 1 })
  })

  test('counts an expired lease as pending', async () => {
    const store = await place.open()
    await storeLeadOfEachStatus(store)
    const byStatus = { pending: 2, leased: 0 }
    const later = now + minute
    expect(await store.leadReader.stats(later)).toMatchObject({ byStatus })
    const filter = { status: ['pending'] } as const
    expect(await store.leadReader.page({ now: later, filter, take: 10 })).toHaveLength(2)
  })

  test('finds a lead with every attempt and response, in order', async () => {
    const store = await place.open()
    const arrival = exampleArrival()
    await store.intake.accept(arrival)
    const results: SendResult[] = [
      { outcome: { name: 'unreachable', reason: 'no-connection', code: 'ECONNREFUSED' } },
      {
        outcome: { name: 'busy', httpStatus: 429, retryAfterMs: month },
        response: toPlainLine('tomorrow, Ada'),
      },
      { outcome: { name: 'unknown', httpStatus: 200, reason: 'timeout' } },
      {
        outcome: { name: 'rejected', httpStatus: 200, cause: 'cap' },
        response: toPlainLine('the cap'),
      },
    ]
    for (const [index, result] of results.entries()) {
      const at = now + index
      const [claimed] = await store.queue.claimDue({ now: at, leaseUntil: at + 1, limit: 1 })
      await store.queue.record({
        id: randomUUIDv7(),
        deliveryId: claimed?.id ?? '',
        lease: claimed?.lease ?? '',
        startedAt: at,
        durationMs: 7,
        ...result,
        next: index === 3 ? { settledAs: 'rejected', at } : { retryAt: at + 1, setBy: 'schedule' },
      })
    }
    const details = await store.leadReader.find(arrival.lead.id, now)
    expect(details?.lead).toEqual(arrival.lead)
    const nothing = { httpStatus: null, reason: null, code: null, retryAfterMs: null, said: null }
    expect(details?.delivery?.attempts).toEqual(
      [
        { outcome: 'unreachable', reason: 'no-connection', code: 'ECONNREFUSED' },
        { outcome: 'busy', httpStatus: 429, retryAfterMs: month, said: 'tomorrow, Ada' },
        { outcome: 'unknown', httpStatus: 200, reason: 'timeout' },
        { outcome: 'rejected', httpStatus: 200, reason: 'cap', said: 'the cap' },
      ].map((facts, index) => ({
        ...nothing,
        number: index + 1,
        startedAt: now + index,
        durationMs: 7,
        ...facts,
      })),
    )
  })

  test('an unknown id finds nothing', async () => {
    const store = await place.open()
    expect(await store.leadReader.find('nobody', now)).toBeUndefined()
    expect(await store.leadReader.affiliateOf('nobody')).toBeUndefined()
    const { id } = await store.intake.accept(exampleArrival())
    expect(await store.leadReader.affiliateOf(id)).toEqual({ subId: 'affiliate 7' })
    await store.erasure.erase({ leadId: id }, now)
    expect(await store.leadReader.affiliateOf(id)).toEqual({ subId: undefined })
    const direct = await store.intake.accept(exampleArrival({ subId: null }))
    expect(await store.leadReader.affiliateOf(direct.id)).toEqual({ subId: undefined })
  })
})

describe('the lead reader on SQLite', () => {
  const place = useKeptStores(sqlitePlace)

  test('lists more leads at once than a statement takes parameters', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival())
    const stored = 33_000
    await runInStore(
      place.settings(),
      `insert into leads (id, idempotency_key, same_enquiry_hash, received_at, area, email, payload)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${stored})
       select '019bc0de-0000-7000-8000-0000' || (10000000 + n), 'key ' || n, 'hash ' || n, received_at, area,
         email, payload from leads, numbers`,
    )
    const page = await store.leadReader.page({ now, take: 40_000 })
    expect(new Set(page.map(({ lead }) => lead.id)).size).toBe(stored + 1)
    expect(page).toHaveLength(stored + 1)
  })
})
