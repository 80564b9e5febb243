import { describe, expect, test } from 'vitest'
import type { Visit } from '#domain/measuring/visit.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleVisit } from '#tests/store/example-visit.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeVisitStore } from './visit-store.ts'

const minute = 60_000
const hour = 60 * minute
const noon = Date.UTC(2026, 10, 25, 12)

const visit = (id: string, more: Partial<Visit> = {}, openMs = minute): Visit =>
  exampleVisit(id, { ...more, progress: { openMs, ...more.progress } })

const seenIn = async (store: Store) => {
  const { seen } = await store.funnel.visits({ since: 0, until: noon + 1000 * hour, filter: {} })
  return seen
}

describe.each(storePlaces)('visits on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('count an hour after the last report, in the hour when they began', async () => {
    const store = await place.open()
    await store.visits.save([visit('one', {}, 20 * minute)], noon + 10 * minute)
    await store.visits.save([visit('one', { program: 3 }, 30 * minute)], noon + 20 * minute)
    await store.visits.countEnded(noon + 80 * minute)
    expect(await seenIn(store)).toBe(0)
    await store.visits.countEnded(noon + 81 * minute)
    const before = { since: noon - hour, until: noon, filter: { program: 3 } }
    expect(await store.funnel.visits(before)).toMatchObject({ 'reached 1': 1, 'left 1': 1 })
  })

  test('count once, even if several processes count them or reports arrive later', async () => {
    const [store, other] = [await place.open(), await place.open()]
    const many = Array.from({ length: 250 }, (_, at) => visit(`visit ${at}`))
    await store.visits.save(many, noon)
    await Promise.all([store, other].map(({ visits }) => visits.countEnded(noon + 2 * hour)))
    await other.visits.save(many, noon + 3 * hour)
    await store.visits.countEnded(noon + 5 * hour)
    expect(await seenIn(store)).toBe(250)
  })

  test('lose their names when they are counted, and are deleted after 48 hours', async () => {
    const store = await place.open()
    const rows = () => store.database.db.selectFrom('visits').selectAll().orderBy('id').execute()
    await store.visits.save([visit('one'), visit('two')], noon)
    await store.visits.save([visit('two', {}, 30 * hour)], noon + 2 * hour)
    await store.visits.countEnded(noon + 2 * hour)
    expect(await rows()).toMatchObject([
      { id: 'one', progress: '', source: null, affiliate: null },
      { id: 'two', source: 'news' },
    ])
    // A visit that goes on counts after a day.
    await store.visits.save([visit('two', {}, 30 * hour)], noon + 23.5 * hour)
    await store.visits.countEnded(noon + 24 * hour)
    expect(await seenIn(store)).toBe(2)
    await store.visits.countEnded(noon + 47.9 * hour)
    expect(await rows()).toHaveLength(2)
    await store.visits.countEnded(noon + 48 * hour)
    expect(await rows()).toEqual([])
  })

  test('are not measured while the table is full', async () => {
    const store = await place.open()
    const visits = makeVisitStore(store.database, 3)
    await visits.save([visit('one'), visit('two')], noon)
    await visits.save([visit('one'), visit('three'), visit('four'), visit('five')], noon + minute)
    await store.visits.countEnded(noon + 2 * hour)
    expect(await seenIn(store)).toBe(3)
  })
})
