import { describe, expect, test } from 'vitest'
import type { FunnelFilter, FunnelGrouping } from '#domain/measuring/funnel.ts'
import { indexLeadsOfPreviousVersion } from '#server/leads/lead-index-rows.ts'
import type { Store } from '#server/store/open-store.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleTime as now } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { type Answered, storeAnswered } from '#tests/store/store-answered.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { withDatabase } from '#tests/store/with-database.ts'

const hour = 3_600_000
const range = { first: 0, last: now, since: now - hour, until: now + 1 }

/** Counts leads by the values of a dimension, as `value: leads`, most leads first. */
async function countBy(store: Store, by: FunnelGrouping, filter: FunnelFilter, hides = false) {
  const counts = await store.funnel.leads({ ...range, filter, by, hidesPersonalOrigins: hides })
  return [...Map.groupBy(counts, ({ value }) => value)]
    .map(([value, rows]) => [value, rows.reduce((sum, { leads }) => sum + leads, 0)] as const)
    .toSorted(([value, one], [name, other]) => other - one || (`${value}` < `${name}` ? -1 : 1))
    .map(([value, leads]) => `${value}: ${leads}`)
}

const make = (count: number, answered: Answered): readonly Answered[] =>
  Array<Answered>(count).fill(answered)

describe.each(storePlaces)('why leads are rejected, on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('817 leads outside of the service area are counted by state', async () => {
    const store = await place.open()
    const area = 'Outside of service area'
    await storeAnswered(store, now, [
      ...make(412, [{ state: 'TX' }, area]),
      ...make(301, [{ state: 'CA' }, area.toUpperCase()]),
      ...make(104, [{ state: 'NV' }, area]),
      ...make(20, [{ state: 'TX' }, 'Duplicate lead']),
      ...make(30, [{ state: 'TX' }]),
    ])
    expect(await countBy(store, 'reason', {})).toEqual([
      'Outside of service area: 817',
      'null: 30',
      'Duplicate lead: 20',
    ])
    const filter = { reason: 'outside OF service area' }
    expect(await countBy(store, 'state', filter)).toEqual(['TX: 412', 'CA: 301', 'NV: 104'])
    expect(await countBy(store, 'reason', { state: 'TX' })).toEqual([
      'Outside of service area: 412',
      'null: 30',
      'Duplicate lead: 20',
    ])
    // Nobody knows the state of a visit.
    expect(await store.funnel.visits({ ...range, filter })).toEqual({})
  })

  test('a reason has no data of the lead, a code is a reason, and an erased lead has none', async () => {
    const store = await place.open()
    const names = ['Ada', 'Bo', 'Cy'].map((firstName) => ({ firstName, lastName: 'Quill' }))
    const [first = ''] = await storeAnswered(store, now, [
      ...names.map(
        (lead): Answered => [lead, `We know ${lead.firstName} Quill, a${lead.firstName}@b.example`],
      ),
      [{}, '104'],
      [{}, ''],
    ])
    expect(await countBy(store, 'reason', {})).toEqual([
      'We know …: 3',
      'code 104: 1',
      'no reason given: 1',
    ])
    expect(await countBy(store, 'state', { reason: 'no reason given' })).toEqual(['FL: 1'])
    await store.erasure.erase({ leadId: first }, now)
    const again = await place.open()
    expect(await countBy(again, 'reason', {})).toEqual([
      'We know …: 2',
      'code 104: 1',
      'no reason given: 1',
      'null: 1',
    ])
  })

  test('at most 50 kinds have names, and a viewer sees only those that three leads share', async () => {
    const store = await place.open()
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const kinds = letters.flatMap((one) => ['x', 'y'].map((other) => `Reason ${one}${other}`))
    await storeAnswered(store, now, [
      ...kinds.map((kind): Answered => [{}, kind]),
      ...make(2, [{}, 'Reason cx']),
    ])
    const counted = await countBy(store, 'reason', {})
    expect(counted).toHaveLength(51)
    expect(counted.slice(0, 2)).toEqual(['Reason cx: 3', 'other: 2'])
    expect(await countBy(store, 'state', { reason: 'other' })).toEqual(['FL: 2'])
    expect(await countBy(store, 'reason', {}, true)).toEqual(['other: 51', 'Reason cx: 3'])
    // A viewer can't guess a rare reason either.
    expect(await countBy(store, 'state', { reason: 'Reason ax' }, true)).toEqual([])
    const forOperator = await store.funnel.reasons(false)
    const forViewer = await store.funnel.reasons(true)
    // Which of the rare reasons have names depends on the store.
    const [, name = ''] = forOperator.names
    const [rare = ''] = forOperator.findErrors(name.toUpperCase())
    expect(forOperator.describeError(rare)).toBe(name)
    expect(forViewer.findErrors(name)).toEqual([name])
    expect(forViewer.describeError(rare)).toBeUndefined()
    expect(forViewer.errorWords).toEqual(['rejected', 'Reason cx'])
  })

  test('leads count by medium and content, in any case, and an erased lead has none', async () => {
    const store = await place.open()
    const touch = (utm_medium: string, utm_content?: string) => ({
      attribution: { first: {}, last: { utm_medium, ...(utm_content && { utm_content }) } },
    })
    const [id = ''] = await storeAnswered(store, now, [
      [touch('cpc', 'Blue Ad'), 'Full'],
      [touch('CPC', 'red ad'), 'Full'],
      [touch('email')],
    ])
    expect(await countBy(store, 'content', { medium: 'cpc' })).toEqual(['Blue Ad: 1', 'red ad: 1'])
    expect(await countBy(store, 'reason', { content: 'blue AD' })).toEqual(['Full: 1'])
    expect((await store.knownOrigins()).medium).toEqual(['cpc', 'CPC', 'email'])
    await store.erasure.erase({ leadId: id }, now)
    const columns = 'medium, content, medium_key, content_key'
    const query = `select ${columns} from lead_index where lead_id = '${id}'`
    expect(await askStore(place.settings(), query)).toEqual([
      { medium: null, content: null, medium_key: null, content_key: null },
    ])
  })

  test('a lead that the previous release stores gets its medium', async () => {
    const store = await place.open()
    await storeAnswered(store, now, [
      [{ attribution: { first: {}, last: { utm_medium: 'cpc' } } }],
      [{ attribution: { first: { utm_medium: 'cpc' }, last: {} } }],
    ])
    expect(await askStore(place.settings(), 'select * from leads_to_index')).toEqual([])
    await withDatabase(place.settings(), async (db) => {
      // The previous release inserts the index row without the columns, and then the lead.
      const [lead] = await db
        .selectFrom('leads')
        .selectAll()
        .where('payload', 'like', '%last":{"utm_m%')
        .execute()
      if (lead === undefined) throw new Error('the lead is missing')
      const copy = { ...lead, id: 'copy', idempotency_key: 'copy', reference: null }
      await db
        .insertInto('lead_index')
        .values({
          ...{ lead_id: 'copy', received_at: now, status: 'owed', area: 'healthcare' },
          ...{ attempts: 0, program: 12, affiliate: null, state: null, verified: 1 },
        })
        .execute()
      await db.insertInto('leads').values(copy).execute()
    })
    expect(await indexLeadsOfPreviousVersion(store.database.db, 100)).toBe(1)
    expect(await countBy(store, 'medium', {})).toEqual(['cpc: 2', 'null: 1'])
  })
})
