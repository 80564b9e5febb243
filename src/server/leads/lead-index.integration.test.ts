import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeErrorGroupId } from '#domain/delivery/error-group.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { retryLead, settleLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { partsThatFindNothing } from '#tests/store/fitting-filter.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { withDatabase } from '#tests/store/with-database.ts'
import { countMatchingLeads, findLeads } from './find-leads.ts'
import { indexLeadsOfPreviousVersion } from './lead-index-rows.ts'
import { countForOverview, listComparedDays } from './overview-counts.ts'
import { findLeadSearch, keepLeadSearch, readSearchKeys } from './person-searches.ts'
import { makeSavedViews } from './saved-views.ts'

const now = exampleTime
const minute = 60_000
const day = 24 * 60 * minute

const idsFor = async (store: Store, filter: Partial<LeadFilter>, keys?: readonly string[]) => {
  const { leads } = await findLeads(store.database.db, {
    filter: { ...emptyFilter, ...filter },
    keys,
    take: 50,
    now,
    towards: 'older',
  })
  return leads.map(({ id }) => id)
}

/** The queries that find a filter's leads, as JSON of their nodes. */
async function queriesFor({ database: { db } }: Store, filter: Partial<LeadFilter>) {
  const queries: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries.push(JSON.stringify(node))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const search = { filter: { ...emptyFilter, ...filter }, keys: undefined, take: 1, now }
  await findLeads(db.withPlugin(plugin), { ...search, towards: 'older' })
  return queries.join()
}

/** For each filter, a value that the example lead does not match. */
const unmatchedFilter: LeadFilter = {
  status: ['dead'],
  area: ['technology'],
  program: [1],
  affiliate: ['nobody'],
  source: ['nowhere'],
  campaign: ['none'],
  medium: ['none'],
  content: ['none'],
  state: ['WY'],
  signal: ['too-fast'],
  error: ['503'],
  restored: ['in-doubt'],
  returned: ['yes'],
  rejected: ['any'],
  held: ['any'],
  since: now + day,
  until: now - day,
}

/** The index columns that remain for an erased lead. A database trigger empties all other columns during the erasure. */
const remainingColumns = ['lead_id', 'received_at', 'status', 'area', 'program', 'attempts']

describe.each(storePlaces)('the index of leads on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  const accept = async (store: Store, lead: Partial<Lead>): Promise<string> => {
    const arrival = exampleArrival(lead)
    await store.intake.accept(arrival)
    return arrival.lead.id
  }

  test('has each lead from the moment that it is stored', async () => {
    const store = await place.open()
    const id = await accept(store, {})
    expect(await idsFor(store, {})).toEqual([id])
  })

  test('counts today and the days before up to the same time, and today’s leads by status', async () => {
    const store = await place.open()
    const day = 24 * 60 * minute
    const at = Date.UTC(2026, 10, 22, 12)
    for (const [index, age] of [
      0,
      minute,
      day + minute,
      day - minute,
      3 * day,
      40 * day,
    ].entries()) {
      await accept(store, { receivedAt: at - age - 1, phone: `94155503${10 + index}` })
    }
    const { days, byStatus, first, firstDue } = await countForOverview(
      store.database.db,
      listComparedDays(at, 'UTC'),
    )
    expect(days.map(({ soFar }) => soFar)).toEqual([2, 1, 0, 1, 0, 0, 0, 0])
    expect(byStatus).toMatchObject({ owed: 2, dead: 0, erased: 0 })
    expect(first).toEqual({ lead: at - 40 * day - 1, dead: undefined, quarantined: undefined })
    expect(firstDue).toBe(at - 40 * day - 1)
  })

  test('a retried delivery is due from then on, however old it is', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const due = async () => {
      const { firstDue } = await countForOverview(store.database.db, [])
      expect(await store.backlog.firstDue(), 'as alerts have it').toBe(firstDue)
      return firstDue
    }
    const waiting = await due()
    expect(waiting).toBeGreaterThan(now)
    await retryLead(store, ids.dead, now + 1)
    expect(await due()).toBe(now + 1)
  })

  test('finds the leads of each status, and no others', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    for (const status of leadStatuses) {
      expect(await idsFor(store, { status: [status] }), status).toEqual([ids[status]])
      const count = await countMatchingLeads(store.database.db, {
        filter: { ...emptyFilter, status: [status] },
        keys: undefined,
        now,
      })
      expect(count, status).toEqual({ count: 1, isAll: true })
    }
    expect(await idsFor(store, { status: ['dead', 'pending', 'leased'] })).toEqual([
      ids.dead,
      ids.leased,
      ids.pending,
    ])
    expect(await idsFor(store, { error: ['500'] })).toEqual([ids.dead])
    expect(await idsFor(store, { error: ['cap'] })).toEqual([ids.rejected])
    expect(await idsFor(store, { signal: ['too-fast'] })).toEqual([ids.quarantined])
  })

  test('finds leads in doubt after a restore until they are settled, sent or erased', async () => {
    const store = await place.open()
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      const state = index === 0 ? 'NY' : 'FL'
      const email = `p${index}@example.com`
      ids.push(
        await accept(store, { receivedAt: now + index, state, email, phone: `941555041${index}` }),
      )
    }
    expect(await markOpenInDoubt(store.database, now + minute)).toBe(5)
    await accept(store, { receivedAt: now + day, email: 'after@example.com' })
    const inDoubt = { restored: ['in-doubt'] } as const
    const newestFirst = ids.toReversed()
    expect(await idsFor(store, inDoubt)).toEqual(newestFirst)
    expect(await idsFor(store, { ...inDoubt, state: ['NY'] })).toEqual([ids[0]])
    expect(await idsFor(store, { ...inDoubt, status: ['pending'] })).toEqual(newestFirst)
    expect(await idsFor(store, { ...inDoubt, since: now + 1, until: now + 3 })).toHaveLength(2)
    const search = { filter: { ...emptyFilter, ...inDoubt }, keys: undefined, now }
    expect(await countMatchingLeads(store.database.db, search)).toEqual({ count: 5, isAll: true })
    const first = await findLeads(store.database.db, { ...search, take: 2, towards: 'older' })
    expect(first).toMatchObject({ searchedUntil: undefined })
    const next = await findLeads(store.database.db, {
      ...search,
      take: 9,
      towards: 'older',
      after: first.next,
    })
    expect([...first.leads, ...next.leads].map(({ id }) => id)).toEqual(newestFirst)
    expect((await countForOverview(store.database.db, [])).inDoubt).toEqual({
      count: 5,
      restoredAt: now + minute,
    })

    await settleLead(store, ids[0] ?? '', 'delivered', now + day)
    await store.erasure.erase(toEmailAddress('p1@example.com'), now + day)
    const left = newestFirst.slice(0, 3)
    expect(await idsFor(store, inDoubt), 'at once').toEqual(left)
    expect(await markOpenInDoubt(store.database, now + day), 'but the new one').toBe(4)
  })

  test('filters by affiliate, source and campaign ignore case, and other values stay apart', async () => {
    const store = await place.open()
    const touch = { utm_source: 'NewsLetter', utm_campaign: 'Frühlings-ÉTÉ 2026' }
    const id = await accept(store, { subId: 'Partner-7', attribution: { first: {}, last: touch } })
    const other = { utm_source: 'newsletters', utm_campaign: 'Fruhlings-ETE 2026' }
    await accept(store, { subId: 'partner-77', attribution: { first: {}, last: other } })
    const matching = {
      affiliate: ['partner-7', 'PARTNER-7', 'Partner-7'],
      source: ['newsletter', 'NEWSLETTER', 'newsLETTER'],
      campaign: [
        'frühlings-été 2026',
        'fRÜHLINGS-Été 2026',
        'Fru\u0308hlings-E\u0301TE\u0301 2026',
      ],
    }
    for (const [part, values] of Object.entries(matching)) {
      for (const value of values)
        expect(await idsFor(store, { [part]: [value] }), value).toEqual([id])
      // A lead that several spellings match is listed and counted once.
      const filter = { ...emptyFilter, [part]: values }
      expect(await idsFor(store, filter)).toEqual([id])
      expect(await countMatchingLeads(store.database.db, { filter, keys: undefined, now })).toEqual(
        {
          count: 1,
          isAll: true,
        },
      )
      expect(await idsFor(store, { ...filter, state: ['FL'] })).toEqual([id])
    }
  })

  test('suggests known values, but none with personal data and none of an erased lead', async () => {
    const store = await place.open()
    const touch = (utm_source: string, utm_campaign: string) => ({
      attribution: { first: {}, last: { utm_source, utm_campaign } },
    })
    const person = { firstName: 'May', lastName: 'Quill', phone: '9415557777' }
    await accept(store, { subId: 'partner-7', ...touch('google', 'Spring Sale') })
    await accept(store, { ...person, subId: 'for may', ...touch('google', 'Dear QUILL') })
    await accept(store, { ...person, subId: '9415557777', ...touch('a@b.example', 'may 2026') })
    // Another person's name is not May, so the campaign is not about this person.
    await accept(store, { subId: null, ...touch('x'.repeat(200), 'may 2026') })
    const erased = await accept(store, {
      subId: 'gone',
      email: 'e@x.example',
      ...touch('gone', 'gone'),
    })
    expect((await store.knownOrigins()).campaign).toContain('gone')
    await store.erasure.erase({ leadId: erased }, now)
    const again = await place.open()
    expect(await again.knownOrigins()).toEqual({
      affiliate: ['partner-7'],
      source: ['google'],
      campaign: ['may 2026', 'Spring Sale'],
      ...{ medium: [], content: [], state: ['FL'] },
    })
  })

  test('suggests at most 50 values', async () => {
    const store = await place.open()
    for (let made = 0; made < 102; made++) await accept(store, { subId: `a${made}` })
    for (let made = 0; made < 2; made++) await accept(store, { subId: 'partner' })
    const { affiliate } = await store.knownOrigins()
    // Made-up values do not push out an affiliate with more leads.
    expect([affiliate.length, affiliate.at(-1)]).toEqual([50, 'partner'])
  })

  test('hides from a viewer’s filter what contains the person’s own data', async () => {
    const store = await place.open()
    const touch = { utm_source: 'quill', utm_campaign: 'Dear Quill' }
    const attribution = { first: {}, last: touch }
    const id = await accept(store, { lastName: 'Quill', subId: 'quill-1', attribution })
    const other = await accept(store, { lastName: 'Lee', subId: 'a', attribution })
    const guesses = { affiliate: 'QUILL-1', source: 'quill', campaign: 'dear quill' }
    for (const [part, value] of Object.entries(guesses)) {
      const filter = { ...emptyFilter, [part]: [value] }
      const search = { filter, keys: undefined, now, take: 9, towards: 'older' } as const
      const shown = await findLeads(store.database.db, { ...search, hidesPersonalOrigins: true })
      expect(shown.leads.map((lead) => lead.id)).toEqual(part === 'affiliate' ? [] : [other])
      expect((await idsFor(store, filter)).includes(id), part).toBe(true)
    }
    await store.erasure.erase({ leadId: id }, now)
    const query = `select personal_origins from lead_index where lead_id = '${id}'`
    expect(await askStore(place.settings(), query)).toEqual([{ personal_origins: null }])
  })

  test('marks personal values in the leads of a store from before the mark', async () => {
    const store = await place.open()
    const attribution = { first: {}, last: { utm_campaign: 'Dear Quill' } }
    await accept(store, { lastName: 'Quill', subId: null, attribution })
    await withDatabase(place.settings(), async (db) => {
      await db.updateTable('lead_index').set({ personal_origins: null }).execute()
      await db
        .insertInto('leads_to_index')
        .columns(['lead_id'])
        .expression(db.selectFrom('lead_index').select('lead_id'))
        .execute()
    })
    expect(await indexLeadsOfPreviousVersion(store.database.db, 100)).toBe(1)
    expect(await askStore(place.settings(), 'select personal_origins from lead_index')).toEqual([
      { personal_origins: 4 },
    ])
  })

  test('a lead has to match every field of a filter', async () => {
    const store = await place.open()
    const wanted = await accept(store, {
      area: 'business',
      state: 'NY',
      subId: 'a',
      receivedAt: now,
    })
    await accept(store, { area: 'business', state: 'FL', subId: 'a', receivedAt: now })
    await accept(store, { area: 'healthcare', state: 'NY', subId: 'b', receivedAt: now })
    await accept(store, { area: 'business', state: 'NY', subId: 'a', receivedAt: now - minute })
    const filter = { area: ['business'], state: ['NY'], affiliate: ['a', 'b'] } as const
    expect(await idsFor(store, { ...filter, since: now })).toEqual([wanted])
    expect(await idsFor(store, { ...filter, program: [12], until: now })).toHaveLength(1)
    expect(await idsFor(store, { ...filter, program: [13] })).toEqual([])
  })

  test('each field of a filter leaves out leads with other values', async () => {
    const store = await place.open()
    await accept(store, { receivedAt: now })
    expect(await idsFor(store, {})).toHaveLength(1)
    for (const [part, value] of Object.entries(unmatchedFilter)) {
      const filter = { [part]: value }
      expect(await idsFor(store, filter), part).toEqual([])
      const count = await countMatchingLeads(store.database.db, {
        filter: { ...emptyFilter, ...filter },
        keys: undefined,
        now,
      })
      expect(count, part).toEqual({ count: 0, isAll: true })
    }
  })

  test('each field of a filter finds a lead with its value', async () => {
    const store = await place.open()
    await storeLeadOfEachStatus(store)
    expect(await partsThatFindNothing(store)).toEqual([])
  })

  test('completes the leads that the previous release has stored, and follows what that release does to them', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const read = () =>
      askStore(
        place.settings(),
        'select lead_index.*, (select count(*) from lead_keys where lead_id = lead_index.lead_id) as n_keys from lead_index order by lead_id',
      )
    const before = await read()
    // Simulates the previous release, which inserts leads without index rows and updates deliveries in the same tables.
    const tables = ['leads', 'consents', 'deliveries', 'attempts']
    const kept = await Promise.all(
      tables.map((table) => askStore(place.settings(), `select * from ${table} order by 1`)),
    )
    await withDatabase(place.settings(), async (db) => {
      for (const table of [
        'enquirers',
        'lead_keys',
        'lead_index',
        'error_groups',
        'leads',
      ] as const)
        await db.deleteFrom(table).execute()
      for (const [index, table] of tables.entries()) {
        for (const row of kept[index] ?? []) {
          await db
            .insertInto(table as 'leads')
            .values(row as never)
            .execute()
        }
      }
      // A release updates in this order: first the attempts, then the delivery.
      for (const attempts of [7, 1]) {
        await db.updateTable('deliveries').set({ attempts }).where('attempts', '>', 0).execute()
      }
    })
    for (const status of leadStatuses) {
      expect(await idsFor(store, { status: [status] }), status).toEqual([ids[status]])
    }
    expect(await indexLeadsOfPreviousVersion(store.database.db, 100)).toBe(9)
    expect(await read()).toEqual(before)
    expect(await indexLeadsOfPreviousVersion(store.database.db, 100)).toBe(0)
  })

  test('has an index sorted by time for each column that a filter reads', async () => {
    const store = await place.open()
    await accept(store, {})
    const { databaseUrl } = place.settings()
    const [row = {}] = await askStore(place.settings(), 'select * from lead_index')
    const indexes = await askStore(
      place.settings(),
      databaseUrl === undefined
        ? `select sql as made from sqlite_master where type = 'index' and tbl_name = 'lead_index'`
        : `select indexdef as made from pg_indexes where tablename = 'lead_index'`,
    )
    const made = indexes.map((index) => String(index.made).replaceAll('"', ''))
    const readBy = async (filter: Partial<LeadFilter>) => {
      const queries = await queriesFor(store, filter)
      return Object.keys(row).filter((column) => queries.match(RegExp(`\\b${column}\\b`)))
    }
    const always = await readBy({})
    const parts = { ...unmatchedFilter, error: ['503', makeErrorGroupId('503', 'no')] }
    const read = new Set<string>()
    for (const [part, value] of Object.entries(parts)) {
      for (const column of await readBy({ [part]: value })) read.add(column)
    }
    const filtered = [...read].filter((column) => !always.includes(column))
    expect(filtered).toEqual(expect.arrayContaining(['status', 'affiliate_key', 'returned_at']))
    const isSorted = (column: string) =>
      made.some(
        (index) =>
          index.includes(`(${column}, received_at, lead_id)`) ||
          RegExp(`\\(received_at, lead_id\\) where \\(?${column}\\b`, 'i').test(index),
      )
    expect(filtered.filter((column) => !isSorted(column))).toEqual([])
  })

  test('continues from a place, without a lead twice or missing', async () => {
    const store = await place.open()
    const ids: string[] = []
    for (let index = 0; index < 7; index++) {
      // Some of the leads have equal times.
      ids.push(
        await accept(store, {
          receivedAt: now + Math.floor(index / 3),
          state: index % 2 ? 'FL' : 'NY',
        }),
      )
    }
    const order = await idsFor(store, {})
    for (const filter of [{}, { state: ['FL', 'NY'] }]) {
      const found: string[] = []
      let after: { id: string; receivedAt: number } | undefined
      do {
        const page = await findLeads(store.database.db, {
          filter: { ...emptyFilter, ...filter },
          keys: undefined,
          after,
          take: 2,
          now,
          towards: 'older',
        })
        found.push(...page.leads.map(({ id }) => id))
        after = page.next
      } while (after !== undefined)
      expect(found).toEqual(order)
    }
    const filters: readonly Partial<LeadFilter>[] = [
      {},
      { state: ['FL', 'NY'] },
      { state: ['FL'], area: ['business'] },
    ]
    for (const filter of filters) {
      const search = { filter: { ...emptyFilter, ...filter }, keys: undefined, now }
      const first = { ...search, take: 2, towards: 'older' } as const
      const all = await findLeads(store.database.db, { ...first, take: 100 })
      const count = { count: all.leads.length, isAll: true }
      expect(await countMatchingLeads(store.database.db, search)).toEqual(count)
    }
    expect([...order].sort()).toEqual([...ids].sort())
  })

  test('finds a person by email, phone, last name or reference, however it is written', async () => {
    const store = await place.open()
    const id = await accept(store, {
      email: 'Zoe@Example.com',
      phone: '9415550123',
      firstName: 'Zoë',
      lastName: 'de la Cruz',
    })
    await accept(store, { lastName: 'Cruz-Other', phone: '9415550124' })
    for (const text of [
      ' zoe@example.COM ',
      '(941) 555-0123',
      '+1 941 555 0123',
      'Zoe De La Cruz',
      'de la cruz',
      id.toUpperCase(),
    ]) {
      const keys = await readSearchKeys(store.database.db, text)
      expect(await idsFor(store, {}, keys), text).toEqual([id])
    }
    expect(await idsFor(store, {}, await readSearchKeys(store.database.db, '941555'))).toEqual([])
    expect(await readSearchKeys(store.database.db, '  ')).toEqual([])
    // A search text of 44 KB once blocked the process for 43 seconds.
    expect(await readSearchKeys(store.database.db, '1 '.repeat(22_000))).toEqual([])
    expect(await readSearchKeys(store.database.db, 'w '.repeat(11))).toEqual([])
  })

  test('after an erasure, the lead is found, but not by its person’s data', async () => {
    const store = await place.open()
    const id = await accept(store, { email: 'gone@example.com', state: 'NY', subId: 'x' })
    const keys = await readSearchKeys(store.database.db, 'gone@example.com')
    await store.erasure.erase(toEmailAddress('gone@example.com'), now)
    {
      const look = 'at once'
      const [left = {}] = await askStore(place.settings(), 'select * from lead_index')
      const said = Object.keys(left).filter((column) => left[column] !== null)
      expect(
        said.filter((column) => !remainingColumns.includes(column)),
        look,
      ).toEqual([])
      expect(await idsFor(store, {}, keys), look).toEqual([])
      expect(await idsFor(store, { state: ['NY'] }), look).toEqual([])
      expect(await idsFor(store, { affiliate: ['x'] }), look).toEqual([])
      expect(await idsFor(store, { status: ['erased'], program: [12] }), look).toEqual([id])
    }
  })

  test('a search is available to its operator alone, for an hour', async () => {
    const { db } = (await place.open()).database
    const id = await keepLeadSearch(db, 'operator', ['key'], now)
    expect(await findLeadSearch(db, id, 'operator', now + 60 * minute)).toEqual(['key'])
    expect(await findLeadSearch(db, id, 'another', now)).toBeUndefined()
    expect(await findLeadSearch(db, id, 'operator', now + 61 * minute)).toBeUndefined()
  })

  test('a view is its operator’s own, unless it is shared; it is removed by its operator alone', async () => {
    const store = await place.open()
    const views = makeSavedViews(store.database.db, () => now)
    const actor = (id: string) =>
      ({
        kind: 'console',
        id,
        email: '',
        network: '',
        role: 'operator',
        lastAuthenticatedAt: now,
      }) as const
    const [ada, bo] = [actor('ada'), actor('bo')]
    await views.save(ada, { name: 'Mine', query: 'status=dead', isShared: false })
    await views.save(ada, { name: 'All', query: 'status=dead', isShared: true })
    expect((await views.list(ada)).map(({ name }) => name)).toEqual(['All', 'Mine'])
    const shared = await views.list(bo)
    expect(shared).toEqual([
      {
        id: expect.any(String),
        operatorId: 'ada',
        name: 'All',
        query: 'status=dead',
        isShared: true,
      },
    ])
    const id = shared[0]?.id ?? ''
    expect(await views.remove(bo, id)).toBeUndefined()
    expect(await views.remove(ada, id)).toBe(shared[0]?.query)
    expect(await views.list(bo)).toEqual([])
  })
})
