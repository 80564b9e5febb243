import { describe, expect, test } from 'vitest'
import type { Visit } from '#domain/measuring/visit.ts'
import type { RunTask } from '#server/platform/database/lead-database.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleVisit } from '#tests/store/example-visit.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { countVisits } from './visit-counts.ts'
import { makeVisitStore } from './visit-store.ts'

const minute = 60_000
const hour = 60 * minute
const noon = Date.UTC(2026, 10, 25, 12)

const visit = (id: string, more: Partial<Visit> = {}, openMs = minute): Visit =>
  exampleVisit(id, { ...more, progress: { openMs, ...more.progress } })

const seenIn = async (store: Store) => {
  const { seen } = await store.funnel.visits({ first: 0, last: noon + 1000 * hour, filter: {} })
  return seen
}

async function countAll({ visits }: Pick<Store, 'visits'>, now: number): Promise<void> {
  while ((await visits.countEnded(now)) > 0);
}

describe.each(storePlaces)('visits on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('count an hour after the last report, on the day when they began', async () => {
    const store = await place.open()
    const midnight = noon - 12 * hour
    await store.visits.save([visit('one', {}, 20 * minute)], midnight + 10 * minute)
    await store.visits.save([visit('one', { program: 3 }, 30 * minute)], midnight + 20 * minute)
    await countAll(store, midnight + 80 * minute)
    expect(await seenIn(store)).toBe(0)
    await countAll(store, midnight + 81 * minute)
    const yesterday = midnight - 24 * hour
    const before = { first: yesterday, last: yesterday, filter: { program: 3 } }
    expect(await store.funnel.visits(before)).toMatchObject({ 'reached 1': 1, 'left 1': 1 })
  })

  test('count once, even if several processes count them or reports arrive later', async () => {
    const [store, other] = [await place.open(), await place.open()]
    const many = Array.from({ length: 250 }, (_, at) => visit(`visit ${at}`))
    await store.visits.save(many, noon)
    await Promise.all([store, other].map((one) => countAll(one, noon + 2 * hour)))
    await other.visits.save(many, noon + 3 * hour)
    await countAll(store, noon + 5 * hour)
    expect(await seenIn(store)).toBe(250)
  })

  test('lose their names when they are counted, and are deleted after 48 hours', async () => {
    const store = await place.open()
    const rows = () => store.database.db.selectFrom('visits').selectAll().orderBy('id').execute()
    await store.visits.save([visit('one'), visit('two')], noon)
    await store.visits.save([visit('two', {}, 30 * hour)], noon + 2 * hour)
    await countAll(store, noon + 2 * hour)
    expect(await rows()).toMatchObject([
      { id: 'one', progress: '', source: null, affiliate: null },
      { id: 'two', source: 'news' },
    ])
    // A visit that goes on counts after a day.
    await store.visits.save([visit('two', {}, 30 * hour)], noon + 23.5 * hour)
    await countAll(store, noon + 24 * hour)
    expect(await seenIn(store)).toBe(2)
    await countAll(store, noon + 47.9 * hour)
    expect(await rows()).toHaveLength(2)
    await countAll(store, noon + 48 * hour)
    expect(await rows()).toEqual([])
  })

  test('are measured only if the first report comes in the hour of the start or the next two', async () => {
    const store = await place.open()
    const late = noon + 30 * minute
    const begun = (openMs: number, more = {}) => visit(`${openMs}`, more, openMs)
    await store.visits.save([begun(0), begun(2.4 * hour), begun(2.5 * hour)], late)
    await store.visits.save([begun(2.6 * hour), begun(9 * hour), begun(23 * hour)], late)
    // Later reports of a visit count, however long the visit lasts.
    await store.visits.save([visit('0', { program: 3 }, 9 * hour)], late + 9 * hour)
    await countAll(store, noon + 12 * hour)
    expect(await seenIn(store)).toBe(3)
    const midnight = noon - 12 * hour
    const ofProgram = { first: midnight, last: midnight, filter: { program: 3 } }
    expect(await store.funnel.visits(ofProgram)).toMatchObject({ seen: 1 })
  })

  test('are counted in steps that read and write little, whatever the table holds', async () => {
    const store = await place.open()
    const { db } = store.database
    const known = Array.from({ length: 900 }, (_, at) => {
      const {
        progress: _progress,
        id: _id,
        ...group
      } = exampleVisit('', { source: `k${at}`, campaign: `k${at}` })
      return { at: noon, group, events: ['seen'] }
    })
    await db
      .transaction()
      .execute((within) => countVisits(within, known, { now: noon, zone: 'UTC' }))
    const made = Array.from({ length: 1200 }, (_, at) => ({
      ...exampleVisit(`visit ${at}`, { source: `s${at}`, campaign: `c${at}`, program: at }),
      ...{ began_at: noon - (at % 23) * hour, seen_at: noon - 2 * hour, folded_at: null },
      progress: JSON.stringify(exampleVisit('').progress),
    }))
    for (let begin = 0; begin < made.length; begin += 300) {
      const some = made.slice(begin, begin + 300)
      await db.insertInto('visits').values(some).execute()
    }
    const rowsOf: number[] = []
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rowsOf.push(result.rows.length)
        return result
      },
    })
    const run: RunTask = (task, argument) => task.run(counting, argument)
    const visits = makeVisitStore({ ...store.database, db, run })
    let [steps, most] = [0, 0]
    for (let counted = 1; counted > 0; steps++) {
      rowsOf.length = 0
      counted = await visits.countEnded(noon + hour)
      most = Math.max(
        most,
        rowsOf.reduce((sum, rows) => sum + rows, 0),
      )
      expect(counted).toBeLessThanOrEqual(25)
    }
    expect(await seenIn(store)).toBe(known.length + made.length)
    // A step reads 25 visits with the counts of their groups.
    expect(most).toBeLessThan(1000)
    expect(steps).toBeLessThan(5 * (made.length / 25))
  })

  test('are not measured while the table is full', async () => {
    const store = await place.open()
    const visits = makeVisitStore(store.database, 3)
    await visits.save([visit('one'), visit('two')], noon)
    await visits.save([visit('one'), visit('three'), visit('four'), visit('five')], noon + minute)
    await countAll(store, noon + 2 * hour)
    expect(await seenIn(store)).toBe(3)
  })
})
