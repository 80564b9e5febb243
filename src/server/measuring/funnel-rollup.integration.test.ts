import { describe, expect, test } from 'vitest'
import type { FunnelGroup } from '#domain/measuring/funnel.ts'
import { countRows } from '#server/platform/database/count-rows.ts'
import type { RunTask } from '#server/platform/database/lead-database.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import {
  type CountedVisit,
  countVisits,
  maxNamedGroups,
  rollUpVisitCounts,
} from './funnel-rollup.ts'

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

const seen = (
  at: number,
  more: Partial<FunnelGroup> = {},
  events: readonly string[] = [],
): CountedVisit => ({ at, group: { ...group, ...more }, events: ['seen', ...events] })

const count = (store: Store, ...visits: readonly CountedVisit[]): Promise<void> =>
  store.database.db.transaction().execute((within) => countVisits(within, visits))

describe.each(storePlaces)('the rollup of visits on $name', ({ makePlace }) => {
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
    // The end of a range does not belong to it.
    expect(await visits({ ...all, until: noon + hour })).toMatchObject({ seen: 4 })
  })

  test('counts further names as “other” once an hour has too many', async () => {
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
    // An hour has a row for all visits, and at most the limit's and one for the others in each of five scopes.
    const rows = await store.database.db.selectFrom('funnel_counts').select('scope').execute()
    expect(rows.length).toBeLessThanOrEqual(5 * (maxNamedGroups + 1) + 3)
    await count(store, seen(noon + hour, { source: 'late' }))
    const late = { ...all, filter: { source: 'late' } }
    expect(await store.funnel.visits(late)).toMatchObject({ seen: 1 })
  })

  test('two processes roll up hours and days without losing a count', async () => {
    const [store, other] = [await place.open(), await place.open()]
    const times = [0, 1, 30, 9 * 24, 9 * 24 + 1, 100 * 24, 101 * 24, 102 * 24].map(
      (hours) => noon - hours * hour,
    )
    await count(store, ...[...times, noon - 800 * day].map((at) => seen(at)))
    await Promise.all([store, other].map(({ database }) => rollUpVisitCounts(database, noon)))
    expect(await readPeriods(store)).toEqual([
      // Weeks begin on Mondays.
      [Date.UTC(2026, 7, 10), 2],
      [Date.UTC(2026, 7, 17), 1],
      [Date.UTC(2026, 10, 16), 2],
      [noon - 30 * hour, 1],
      [noon - hour, 1],
      [noon, 1],
    ])
    expect(await store.funnel.visits(all)).toMatchObject({ seen: times.length })
  })

  test('moves a period with many groups in steps, and names the largest groups', async () => {
    const store = await place.open()
    const old = noon - 5 * day
    const some = Array.from({ length: maxNamedGroups - 20 }, (_, at) =>
      seen(old, { source: `s${at}` }),
    )
    const others = Array.from({ length: 300 }, (_, at) => seen(old + hour, { source: `t${at}` }))
    await count(store, ...some, ...others, seen(old + hour, { source: 't7' }))
    const moved: number[] = []
    const { db } = store.database
    const run: RunTask = async (task, argument) => {
      const before = await countRows(db.selectFrom('funnel_counts').where('from_at', '=', old))
      const result = await store.database.run(task, argument)
      moved.push(
        before - (await countRows(db.selectFrom('funnel_counts').where('from_at', '=', old))),
      )
      return result
    }
    await rollUpVisitCounts({ db, run }, noon)
    expect(Math.max(...moved)).toBe(100)
    const bySource = await store.funnel.visitsBy({ ...all, by: 'source' })
    const numberOf = (source: string) => bySource.find(({ value }) => value === source)?.seen
    expect([numberOf('s979'), numberOf('t7'), numberOf('other')]).toEqual([1, 2, 280])
    expect(await store.funnel.visits(all)).toMatchObject({ seen: some.length + 301 })
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
    })
  })
})

async function readPeriods({ database }: Store) {
  const rows = await database.db
    .selectFrom('funnel_counts')
    .select(['from_at', 'seen'])
    .where('scope', '=', 'each')
    .orderBy('from_at')
    .execute()
  return rows.map(({ from_at, seen }) => [from_at, seen])
}
