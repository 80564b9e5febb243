import { describe, expect, test } from 'vitest'
import type { FunnelGroup } from '#domain/measuring/funnel.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { type CountedEvent, countEvents, foldCounts, maxNewGroupsPerDay } from './funnel-rollup.ts'

const hour = 3_600_000
const day = 24 * hour
/** A Wednesday. */
const noon = Date.UTC(2026, 10, 25, 12)
const all = { since: 0, until: noon + day, filter: {} }

const group: FunnelGroup = {
  area: 'business',
  source: 'news',
  campaign: null,
  affiliate: 'a7',
  device: 'phone',
  program: null,
}

const seen = (at: number, more: Partial<FunnelGroup> = {}): CountedEvent => ({
  at,
  group: { ...group, ...more },
  event: 'seen',
  detail: '',
})

const count = (store: Store, events: readonly CountedEvent[], now = noon): Promise<void> =>
  store.database.db.transaction().execute((within) => countEvents(within, events, now))

const total = (counts: readonly { readonly n: number }[]): number =>
  counts.reduce((sum, { n }) => sum + n, 0)

describe.each(storePlaces)('the rollup of visits on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('adds up what several processes count, and selects and groups by dimension', async () => {
    const [store, other] = [await place.open(), await place.open()]
    const started: CountedEvent = { ...seen(noon + 1), event: 'started' }
    await Promise.all([
      count(store, [seen(noon), seen(noon + 2), started]),
      count(other, [seen(noon + 3), seen(noon + hour, { area: 'healthcare', source: null })]),
    ])
    const { visits } = store.funnel
    expect(await visits({ ...all, events: ['seen'] })).toEqual([
      { value: null, event: 'seen', detail: '', n: 4 },
    ])
    expect(await visits({ ...all, filter: { area: 'business', device: 'phone' } })).toEqual(
      expect.arrayContaining([
        { value: null, event: 'seen', detail: '', n: 3 },
        { value: null, event: 'started', detail: '', n: 1 },
      ]),
    )
    expect(total(await visits({ ...all, filter: { device: 'tablet' } }))).toBe(0)
    const bySource = await visits({ ...all, by: 'source', events: ['seen'] })
    expect(bySource.map(({ value, n }) => [value, n])).toEqual(
      expect.arrayContaining([
        ['news', 3],
        [null, 1],
      ]),
    )
    const byWeek = await visits({ ...all, by: 'week', events: ['seen'] })
    expect(byWeek.map(({ value, n }) => [Number(value), n])).toEqual([[Date.UTC(2026, 10, 23), 4]])
    // The end of a range does not belong to it.
    expect(total(await visits({ ...all, until: noon + hour }))).toBe(4)
  })

  test('counts made-up sources together after the day’s first, and keeps known ones apart', async () => {
    const store = await place.open()
    await count(store, [seen(noon)])
    const flood = Array.from({ length: maxNewGroupsPerDay + 50 }, (_, made) =>
      seen(noon, { source: `made up ${made}` }),
    )
    await count(store, flood)
    await count(store, [seen(noon), seen(noon, { source: 'late' })])
    const bySource = await store.funnel.visits({ ...all, by: 'source' })
    // One more name than the limit, because all names that are too many share one group.
    expect(bySource).toHaveLength(maxNewGroupsPerDay + 1)
    const numberOf = (source: string) => bySource.find(({ value }) => value === source)?.n
    expect([numberOf('news'), numberOf('late'), numberOf('other')]).toEqual([2, undefined, 52])
    await count(store, [seen(noon + day, { source: 'late' })], noon + day)
    expect(
      await store.funnel.visits({ ...all, until: noon + 2 * day, filter: { source: 'late' } }),
    ).toHaveLength(1)
  })

  test('keeps every count while hours become days and days become weeks, also with two processes', async () => {
    const [store, other] = [await place.open(), await place.open()]
    const times = [0, 1, 30, 9 * 24, 9 * 24 + 1, 100 * 24, 101 * 24, 102 * 24].map(
      (hours) => noon - hours * hour,
    )
    await count(
      store,
      [...times, noon - 800 * day].map((at) => seen(at)),
    )
    await Promise.all([store, other].map(({ database }) => foldCounts(database.db, noon)))
    const { rows } = await readPeriods(store)
    expect(rows).toEqual([
      // Weeks begin on Mondays.
      [Date.UTC(2026, 7, 10), 2],
      [Date.UTC(2026, 7, 17), 1],
      [Date.UTC(2026, 10, 16), 2],
      [noon - 30 * hour, 1],
      [noon - hour, 1],
      [noon, 1],
    ])
    expect(total(await store.funnel.visits(all))).toBe(times.length)
  })

  test('counts leads by what became of them, as the list of leads does', async () => {
    const store = await place.open()
    const phone = {
      ...exampleArrival({ receivedAt: noon, area: 'business' }),
      device: 'phone' as const,
    }
    const arrivals = [
      phone,
      exampleArrival({ ...phone.lead, id: crypto.randomUUID(), receivedAt: noon + 1 }),
      exampleArrival({ receivedAt: noon, subId: null }),
      { ...exampleArrival({ receivedAt: noon }), isQuarantined: true },
      exampleArrival({ receivedAt: noon + 2 * day }),
    ]
    for (const arrival of arrivals) await store.intake.accept(arrival)
    const statuses = async (filter: object) =>
      Object.fromEntries(
        (await store.funnel.leads({ ...all, filter })).map(({ status, leads }) => [status, leads]),
      )
    expect(await statuses({})).toEqual({ owed: 2, duplicate: 1, quarantined: 1 })
    expect(await statuses({ device: 'phone' })).toEqual({ owed: 1 })
    expect(await statuses({ area: 'business' })).toEqual({ owed: 1, duplicate: 1 })
    expect(await statuses({ affiliate: null })).toEqual({ owed: 1 })
    expect(await statuses({ affiliate: null, source: 'news', campaign: 'spring sale' })).toEqual({
      owed: 1,
    })
    expect(await statuses({ source: null })).toEqual({})
    const byAffiliate = await store.funnel.leads({ ...all, by: 'affiliate' })
    expect(byAffiliate).toContainEqual({
      value: null,
      status: 'owed',
      cause: null,
      leads: 1,
      returned: 0,
    })
  })
})

async function readPeriods({ database }: Store) {
  const counts = await database.db
    .selectFrom('funnel_counts')
    .innerJoin('funnel_groups', 'funnel_groups.id', 'funnel_counts.group_id')
    .select(['from_at', 'n'])
    .where('scope', '=', 'each')
    .orderBy('from_at')
    .execute()
  return { rows: counts.map(({ from_at, n }) => [from_at, n]) }
}
