import { describe, expect, test } from 'vitest'
import { formatDay } from '#domain/calendar.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeOverviewReader } from './overview-reader.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 10, 22, 12)

describe.each(storePlaces)('the overview on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  /** Accepts leads of two affiliates, in hours before now, and reads the overview. */
  async function overviewOf(ages: {
    readonly a: readonly number[]
    readonly b: readonly number[]
  }) {
    const store = await place.open()
    for (const [subId, hours] of Object.entries(ages)) {
      for (const age of hours) {
        const { lead, ...arrival } = exampleArrival({ subId, receivedAt: now - age * hour })
        await store.intake.accept({ lead, ...arrival })
        await settleLead(store, lead.id, 'delivered', now)
      }
    }
    const read = makeOverviewReader({
      store: { forConsole: { ...store, database: store.database } },
      settings: { store: place.settings(), delivery: { zone: 'UTC' } },
      checkStore: async () => undefined,
      clock: () => now,
    } as Parameters<typeof makeOverviewReader>[0])
    const { data, compared } = await read()
    return {
      answers: data.answers && [data.answers.before !== undefined, data.answers.firstAt],
      days: compared.map(({ date }) => formatDay(date)),
    }
  }

  test('compares with nothing before the store’s and the affiliate’s first lead', async () => {
    const first = now - 60 * hour
    // The store began at midnight between two of the seven days.
    expect(await overviewOf({ a: [1, 60], b: [2] })).toEqual({
      answers: [false, first],
      days: ['2026-11-21', '2026-11-20'],
    })
  })

  test('leaves out the day on which the store began', async () => {
    const { days, answers } = await overviewOf({ a: [1, 61], b: [] })
    expect(days).toEqual(['2026-11-21', '2026-11-20'])
    expect(answers).toEqual([false, now - 61 * hour])
  })

  test('compares an affiliate that began within an older store with nothing', async () => {
    expect(await overviewOf({ a: [1, 30, 500], b: [3, 40] })).toEqual({
      answers: [true, undefined],
      days: Array.from({ length: 7 }, (_, index) => `2026-11-${21 - index}`),
    })
  })
})
