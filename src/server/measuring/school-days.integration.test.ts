import { describe, expect, test } from 'vitest'
import { formatDay, parseDay, toDay, toTimeRange } from '#domain/calendar.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { exampleVisit } from '#tests/store/example-visit.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'
import { countVisits } from './visit-counts.ts'

const hour = 3_600_000
const { progress: _, id: __, ...group } = exampleVisit('')

const countAt = (store: Store, zone: string, times: readonly number[], now = 1): Promise<void> => {
  const visits = times.map((at) => ({ at, group, events: ['seen'] }))
  return store.database.db
    .transaction()
    .execute((within) => countVisits(within, visits, { now, zone }))
}

describe.each(storePlaces)('the school’s days on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  async function openIn(zone: string): Promise<Store> {
    const migrated = await place.open()
    await migrated.close()
    return openStore({ ...place.settings(), zone })
  }

  test.each([
    ['America/New_York', '2026-03-07', [24, 23, 24]],
    ['America/New_York', '2026-10-31', [24, 25, 24]],
    ['America/Santiago', '2026-09-05', [24, 23, 24]],
    ['Asia/Kolkata', '2026-10-31', [24, 24, 24]],
  ])(
    'in %s from %s, three days have %j visits and leads, one an hour',
    async (zone, text, hours) => {
      const first = parseDay(text) ?? Number.NaN
      const last = first + 48 * hour
      const range = { first, last, ...toTimeRange(first, last, zone) }
      const store = await openIn(zone)
      try {
        const times = Array.from(
          { length: (range.until - range.since) / hour + 2 },
          (_, index) => range.since + (index - 1) * hour,
        )
        for (const receivedAt of times) await store.intake.accept(exampleArrival({ receivedAt }))
        await countAt(store, zone, times)
        const query = { ...range, filter: {} }
        const sum = hours.reduce((one, other) => one + other)
        const countLeads = async (more: object) =>
          (await store.funnel.leads({ ...query, ...more })).reduce(
            (all, { leads }) => all + leads,
            0,
          )
        const expected = hours.map((count, index) => [first + index * 24 * hour, count])
        const visits = await store.funnel.visitsBy({ ...query, by: 'day' })
        expect(visits.map(({ value, seen }) => [Number(value), seen]).toSorted()).toEqual(expected)
        const leadsOf = Map.groupBy(
          await store.funnel.leads({ ...query, by: 'day' }),
          ({ value }) => value,
        )
        const leads = [...leadsOf].map(([value, rows]) => [
          Number(value),
          rows.reduce((all, row) => all + row.leads, 0),
        ])
        expect(leads.toSorted()).toEqual(expected)
        for (const by of ['week', 'month'] as const) {
          const all = await store.funnel.visitsBy({ ...query, by })
          expect(all.reduce((seen, row) => seen + row.seen, 0)).toBe(sum)
          expect(await countLeads({ by })).toBe(sum)
        }
        expect(await countLeads({})).toBe(sum)
        // Each day alone counts what the comparison by day counts.
        for (const [day = 0, count] of expected) {
          expect(await countLeads(toTimeRange(day, day, zone))).toBe(count)
          expect((await store.funnel.visits({ ...query, first: day, last: day })).seen).toBe(count)
        }
      } finally {
        await store.close()
      }
    },
  )

  test('what was counted in another zone stays on its days, and the reader says so', async () => {
    const zone = 'America/New_York'
    const at = Date.parse('2026-11-27T03:00Z')
    const store = await openIn(zone)
    try {
      const seenOn = async (text: string) => {
        const day = parseDay(text) ?? Number.NaN
        return (await store.funnel.visits({ first: day, last: day, filter: {} })).seen
      }
      await countAt(store, 'UTC', [at], at)
      const note = (text: string) => store.funnel.describeEarlierZone(parseDay(text) ?? 0)
      expect(await note('2026-11-27')).toBe(
        'Visits counted stay on their days in the time zone UTC.',
      )
      // The school's zone counts the same time on the day before.
      await countAt(store, zone, [at], at + 48 * hour)
      expect([await seenOn('2026-11-26'), await seenOn('2026-11-27')]).toEqual([1, 1])
      expect(formatDay(toDay(at + 48 * hour, zone))).toBe('2026-11-28')
      expect(await note('2026-11-28')).toBe(
        'Visits counted before Nov 28, 2026 stay on their days in the time zone UTC.',
      )
      expect(await note('2026-11-29')).toBe('')
    } finally {
      await store.close()
    }
  })
})
