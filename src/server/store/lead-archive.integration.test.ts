import { describe, expect, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { leadStatuses } from '#server/use-cases/read-leads.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import type { Store } from './open-store.ts'

const minute = 60_000
const now = exampleTime

/** One lead of every status, received a minute apart in the order of `leadStatuses`, the oldest first. */
async function storeOneOfEach(store: Store): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const arrivals = leadStatuses.map((status, index) =>
    exampleArrival({
      receivedAt: now - (10 - index) * minute,
      email: status === 'duplicate' ? 'dead@example.com' : `${status}@example.com`,
    }),
  )
  for (const [index, arrival] of arrivals.entries()) {
    await store.intake.accept(arrival)
    ids.set(leadStatuses[index] ?? '', arrival.lead.id)
  }
  const deliveries = await store.queue.claimDue({ now, leaseUntil: now + minute, limit: 10 })
  for (const { id, lease, lead } of deliveries) {
    const status = leadStatuses.find((name) => lead.id === ids.get(name))
    const attempt = { deliveryId: id, lease, startedAt: now, durationMs: 5 }
    const at = now + 5
    const outcome: AttemptOutcome = { name: 'unknown', detail: 'no answer' }
    if (status === 'pending') {
      await store.queue.record({ ...attempt, outcome, next: { retryAt: now + 5 * minute } })
    }
    if (status === 'delivered' || status === 'rejected' || status === 'dead') {
      await store.queue.record({ ...attempt, outcome, next: { settledAs: status, at } })
    }
  }
  return ids
}

describe.each(storePlaces)('the lead archive on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('lists the newest first, a page at a time', async () => {
    const store = await place.open()
    const ids = [...(await storeOneOfEach(store)).values()].toReversed()
    const page = async (skip: number, take: number) =>
      (await store.archive.list({ now, skip, take })).map(({ id }) => id)
    expect(await page(0, 100)).toEqual(ids)
    expect(await page(1, 2)).toEqual(ids.slice(1, 3))
    expect(await page(100, 2)).toEqual([])
  })

  test('a listed lead says who, what and how it stands', async () => {
    const store = await place.open()
    const ids = await storeOneOfEach(store)
    const [listed] = await store.archive.list({ now, status: 'rejected', skip: 0, take: 10 })
    expect(listed).toEqual({
      id: ids.get('rejected'),
      receivedAt: now - 7 * minute,
      area: 'healthcare',
      name: "Zoë O'Neill",
      email: 'rejected@example.com',
      programName: 'B.S. Nursing (RN to BSN)',
      status: 'rejected',
      attempts: 1,
    })
  })

  test.each(leadStatuses)('lists those that are %s, and nothing else', async (status) => {
    const store = await place.open()
    const ids = await storeOneOfEach(store)
    const listed = await store.archive.list({ now, status, skip: 0, take: 10 })
    expect(listed.map(({ id }) => id)).toEqual([ids.get(status)])
    expect(listed.map((lead) => lead.status)).toEqual([status])
    expect(await store.archive.find(ids.get(status) ?? '', now)).toMatchObject({ status })
  })

  test('counts what there is', async () => {
    const store = await place.open()
    expect(await store.archive.stats(now)).toEqual({
      leads: 0,
      byStatus: { pending: 0, leased: 0, delivered: 0, rejected: 0, dead: 0, duplicate: 0 },
      attempts: 0,
      oldestPendingAgeMs: null,
    })
    await storeOneOfEach(store)
    expect(await store.archive.stats(now)).toEqual({
      leads: 6,
      byStatus: { pending: 1, leased: 1, delivered: 1, rejected: 1, dead: 1, duplicate: 1 },
      attempts: 4,
      oldestPendingAgeMs: 10 * minute,
    })
  })

  test('a lease that ran out counts as pending again', async () => {
    const store = await place.open()
    await storeOneOfEach(store)
    const byStatus = { pending: 2, leased: 0 }
    expect(await store.archive.stats(now + minute)).toMatchObject({ byStatus })
    expect(
      await store.archive.list({ now: now + minute, status: 'pending', skip: 0, take: 10 }),
    ).toHaveLength(2)
  })

  test('finds a lead with every attempt, in order and in words', async () => {
    const store = await place.open()
    const arrival = exampleArrival()
    await store.intake.accept(arrival)
    const outcomes: AttemptOutcome[] = [
      { name: 'unreachable', detail: 'ECONNREFUSED' },
      { name: 'busy', httpStatus: 429, retryAfterMs: 3000 },
      { name: 'busy', httpStatus: 503 },
      { name: 'rejected', httpStatus: 422, reasons: ['bad zip', 'bad phone'] },
    ]
    for (const [index, outcome] of outcomes.entries()) {
      const at = now + index
      const [claimed] = await store.queue.claimDue({ now: at, leaseUntil: at + 1, limit: 1 })
      await store.queue.record({
        deliveryId: claimed?.id ?? '',
        lease: claimed?.lease ?? '',
        startedAt: at,
        durationMs: 7,
        outcome,
        next: index === 3 ? { settledAs: 'rejected', at } : { retryAt: at + 1 },
      })
    }
    const details = await store.archive.find(arrival.lead.id, now)
    expect(details?.lead).toEqual(arrival.lead)
    const written = (
      number: number,
      outcome: string,
      httpStatus: number | null,
      detail: string | null,
    ) => ({
      number,
      startedAt: now + number - 1,
      durationMs: 7,
      outcome,
      httpStatus,
      detail,
    })
    expect(details?.delivery?.attempts).toEqual([
      written(1, 'unreachable', null, 'ECONNREFUSED'),
      written(2, 'busy', 429, 'retry after 3000 ms'),
      written(3, 'busy', 503, null),
      written(4, 'rejected', 422, 'bad zip; bad phone'),
    ])
  })

  test('an unknown id finds nothing', async () => {
    const store = await place.open()
    expect(await store.archive.find('nobody', now)).toBeUndefined()
  })
})
