import { describe, expect, test } from 'vitest'
import type { FunnelGroup } from '#domain/measuring/funnel.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import {
  type CountedVisit,
  countVisits,
  deleteOldVisitCounts,
  maxNamedGroups,
} from './visit-counts.ts'

const hour = 3_600_000
const day = 24 * hour
/** A Wednesday. */
const noon = Date.UTC(2026, 10, 25, 12)
const midnight = noon - 12 * hour
const all = { since: 0, until: noon + day, first: 0, last: midnight, filter: {} }

const group: FunnelGroup = {
  area: 'business',
  source: 'news',
  campaign: null,
  affiliate: 'a7',
  device: 'phone',
  program: null,
}

const seen = (
  at: number,
  more: Partial<FunnelGroup> = {},
  events: readonly string[] = [],
): CountedVisit => ({ at, group: { ...group, ...more }, events: ['seen', ...events] })

const count = (store: Store, ...visits: readonly CountedVisit[]): Promise<void> =>
  store.database.db
    .transaction()
    .execute((within) => countVisits(within, visits, { now: noon, zone: 'UTC' }))

describe.each(storePlaces)('the counts of visits on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('adds up the counts of several processes, and selects and splits by dimension', async () => {
    const [store, other] = [await place.open(), await place.open()]
    const started = seen(noon, {}, ['started', 'time 0 20'])
    await Promise.all([
      count(store, started, seen(noon + 2), seen(noon + 4, { device: 'desktop' })),
      count(other, started, seen(noon + hour, { area: 'healthcare', source: null })),
    ])
    const { visits, visitsBy } = store.funnel
    expect(await visits(all)).toEqual({ seen: 5, started: 2, 'time 0 20': 2 })
    const onPhones = { ...all, filter: { area: 'business', device: 'phone' } } as const
    expect(await visits(onPhones)).toEqual({ seen: 3, started: 2, 'time 0 20': 2 })
    expect(await visits({ ...all, filter: { device: 'tablet' } })).toEqual({ seen: 0, started: 0 })
    expect(await visitsBy({ ...all, by: 'source' })).toEqual(
      expect.arrayContaining([
        { value: 'news', seen: 4, started: 2 },
        { value: null, seen: 1, started: 0 },
      ]),
    )
    expect(await visitsBy({ ...onPhones, by: 'source' })).toMatchObject([{ seen: 3 }])
    const byWeek = await visitsBy({ ...all, by: 'week' })
    expect(byWeek.map(({ value, seen }) => [Number(value), seen])).toEqual([
      [Date.UTC(2026, 10, 23), 5],
    ])
    // The range's last day belongs to it.
    await count(store, seen(midnight + day))
    expect(await visits(all)).toMatchObject({ seen: 5 })
    expect(await visits({ ...all, last: midnight + day })).toMatchObject({ seen: 6 })
  })

  test('counts further names as “other” once a day has too many', async () => {
    const store = await place.open()
    await count(store, seen(noon))
    const flood = Array.from({ length: maxNamedGroups + 500 }, (_, made) =>
      seen(noon, { source: `made up ${made}`, campaign: `${made}`, program: made }),
    )
    await count(store, ...flood)
    await count(store, seen(noon), seen(noon, { source: 'late' }))
    const bySource = await store.funnel.visitsBy({ ...all, by: 'source' })
    const numberOf = (source: string) => bySource.find(({ value }) => value === source)?.seen
    expect([numberOf('news'), numberOf('late'), numberOf('other')]).toEqual([2, undefined, 502])
    expect(await store.funnel.visits(all)).toMatchObject({ seen: maxNamedGroups + 503 })
    // A day has a row for all visits, and at most the limit's and one for the others in each of five scopes.
    const rows = await store.database.db.selectFrom('funnel_counts').select('scope').execute()
    expect(rows.length).toBeLessThanOrEqual(5 * (maxNamedGroups + 1) + 3)
    await count(store, seen(noon + day, { source: 'late' }))
    const late = { ...all, last: midnight + day, filter: { source: 'late' } }
    expect(await store.funnel.visits(late)).toMatchObject({ seen: 1 })
  })

  test('counts by the day, and keeps all counts for 25 months', async () => {
    const store = await place.open()
    const { db } = store.database
    const hours = [0, 1, 11, 13, 100 * 24]
    await count(store, ...hours.map((ago) => seen(noon - ago * hour)), seen(noon - 800 * day))
    // Release 0.3.0 counted by the hour, and merged old days into weeks.
    const row = {
      ...group,
      scope: 'each',
      group_id: 1,
      seen: 5,
      started: 0,
      details: '{}',
    } as const
    for (const from_at of [noon, Date.UTC(2026, 0, 5), Date.UTC(2024, 0, 1)]) {
      await db
        .insertInto('funnel_counts')
        .values({ ...row, from_at })
        .execute()
    }
    await deleteOldVisitCounts(db, noon)
    const rows = await db
      .selectFrom('funnel_counts')
      .select(['from_at', 'seen'])
      .where('scope', '=', 'each')
      .orderBy('from_at')
      .execute()
    expect(rows.map(({ from_at, seen }) => [from_at, seen])).toEqual([
      [Date.UTC(2026, 0, 5), 5],
      [midnight - 100 * day, 1],
      [midnight - day, 1],
      [midnight, 3],
      [noon, 5],
    ])
    const phones = { ...all, filter: { area: 'business', device: 'phone' } } as const
    expect(await store.funnel.visits(phones)).toMatchObject({ seen: 15 })
  })

  test('counts leads by status as the list of leads does', async () => {
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
      personal: 0,
    })
  })
})
