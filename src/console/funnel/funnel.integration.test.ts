import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visit } from '#domain/measuring/visit.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { exampleVisit } from '#tests/store/example-visit.ts'

const hour = 3_600_000
const day = 24 * hour
/** A Wednesday. */
const now = Date.UTC(2026, 10, 25, 12)

let product: InProcessProduct
let store: Store
let admin: SignedIn

const visit = (id: string, more: Partial<Visit> = {}): Visit =>
  exampleVisit(id, {
    ...more,
    progress: {
      visibleMs: [20_000, 40_000],
      field: 'zip',
      refused: ['zip not-found', 'email format'],
      vitals: { lcp: 1200, inp: 90, cls: 20 },
      ...more.progress,
    },
  })

beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' }, undefined, () => now)
  admin = await signIn(product.consoleLink)
  store = await openStore(product.store)
  const left = {
    ...visit('').progress,
    isStarted: false,
    step: 0 as const,
    shown: [1],
    refused: [],
  }
  await store.visits.save(
    [
      visit('1'),
      visit('2'),
      visit('3', { progress: { ...left, field: 'phone' } }),
      visit('4', { area: 'healthcare', affiliate: 'ada@example.edu', progress: left }),
    ],
    now - day,
  )
  await store.visits.save([visit('5')], now - 29 * day)
  // The store began on a Tuesday in July.
  await store.visits.save([visit('6')], now - 120 * day)
  while ((await store.visits.countEnded(now)) > 0);
  for (const receivedAt of [now - day, now - 2 * day, now - 30 * day, now - 120 * day]) {
    await store.intake.accept(exampleArrival({ receivedAt, area: 'business', subId: 'a7' }))
  }
})
afterAll(async () => {
  await store.close()
  await product.stop()
})

/** The texts of a table's rows, cell by cell. */
async function rowsOf(query: string, table: string, by = admin): Promise<string[][]> {
  const page = await (await by.get(`/funnel${query}`)).text()
  const found = new RegExp(`<table[^>]*aria-label="${table}".*?</table>`, 's').exec(page)?.[0] ?? ''
  return [...found.matchAll(/<tr.*?<\/tr>/gs)].slice(1).map(([row]) =>
    [...row.matchAll(/<t[hd](?![a-z]).*?<\/t[hd]>/gs)].map(([cell]) =>
      cell
        .replaceAll(/<svg.*?<\/svg>/gs, '')
        .replaceAll(/<[^>]*>/g, '')
        .trim(),
    ),
  )
}

test('shows each stage beside the days before', async () => {
  const stages = await rowsOf('', 'From page view to accepted lead')
  expect(stages).toEqual([
    ['Page seen', '', '4', '100%', '1', '100%'],
    ['Form started', '', '2', '50%', '1', '100%'],
    ['Step 2 reached', '', '2', '50%', '1', '100%'],
    ['Step 3 reached', '', '0', '0%', '0', '0%'],
    ['Step 4 reached', '', '0', '0%', '0', '0%'],
    ['Lead received', '', '2', '50%', '1', '100%'],
    ['Lead accepted', '', '0', '0%', '0', '0%'],
  ])
})

test('shows where visitors leave, how long they take and what is refused', async () => {
  const [first, second] = await rowsOf('', 'Steps')
  expect(first).toEqual([
    'Step 1 of 4: Primary Information',
    ...['4', '2 (50%)', '0%', '0', '19 s', '19 s'],
    'Phone (1)',
    'Email: in the wrong format (2 visits)',
  ])
  expect(second?.slice(1, 3)).toEqual(['2', '2 (100%)'])
  expect(second?.slice(-2)).toEqual([
    'ZIP code (2)',
    'ZIP code: not found by the address check (2 visits)',
  ])
})

test('filters by every dimension, and counts the leads that the list shows', async () => {
  const stages = await rowsOf('?area=healthcare&device=phone', 'From page view to accepted lead')
  expect(stages.map(([name, , number]) => [name, number])).toContainEqual(['Page seen', '1'])
  expect(stages.map(([name, , number]) => [name, number])).toContainEqual(['Lead received', '0'])
  const page = await (await admin.get('/funnel?area=business&affiliate=a7')).text()
  const link = /<a href="(\/leads\?[^"]*status=pending[^"]*)">2<\/a>/.exec(page)?.[1] ?? ''
  const list = await (await admin.get(link.replaceAll('&amp;', '&'))).text()
  expect(list).toContain('2 leads')
  // `/leads` cannot select the leads of a device.
  expect(await (await admin.get('/funnel?device=phone')).text()).not.toContain('/leads?')
  // Last month's lead and visit are the only ones in their weeks.
  const before = await rowsOf('?from=2026-10-20&to=2026-10-27', 'From page view to accepted lead')
  expect(before[0]?.slice(2)).toEqual(['1', '100%', '0', '–'])
})

test('compares by a dimension, and hides what may be a person’s address', async () => {
  const fields = { name: 'Acme', ids: 'a7', payout: '', postback: '', notes: '' }
  const added = await admin.post('/affiliates', fields)
  expect(added.status).toBe(303)
  const rows = await rowsOf('?by=affiliate', 'Comparison')
  expect(rows).toEqual([
    ['Acme (a7)', '3', '67%', '2', '67%', '0', '0', 'too few to tell'],
    ['•••', '1', '0%', '0', '0%', '0', '0', 'too few to tell'],
    ['All', '4', '50%', '2', '50%', '0', '0', 'too few to tell'],
  ])
  const page = await (await admin.get('/funnel?by=affiliate')).text()
  expect(page).not.toContain('ada@example.edu')
  // The row's number links to the leads that it counts.
  const [, link = ''] =
    /href="\/funnel\?affiliate=a7.*?href="(\/leads\?[^"]*)">2<\/a>/s.exec(page) ?? []
  const list = await (await admin.get(link.replaceAll('&amp;', '&'))).text()
  expect(list).toContain('2 leads')
})

test('a viewer cannot find out whether a link contained a person’s address', async () => {
  const [viewer, operator] = [
    await operatorOf(product, admin, 'viewer'),
    await operatorOf(product, admin, 'operator'),
  ]
  for (const name of ['affiliate', 'source', 'campaign']) {
    const query = `/funnel?${name}=ada@example.edu`
    expect([name, (await viewer.get(query)).status]).toEqual([name, 403])
    expect([name, (await operator.get(query)).status]).toEqual([name, 200])
  }
  expect((await viewer.get('/funnel?affiliate=a7&source=news')).status).toBe(200)
  const fields = { name: 'A person', ids: 'ada@example.edu', payout: '', postback: '', notes: '' }
  const added = await admin.post('/affiliates', fields)
  expect((await viewer.get(added.headers.get('location') ?? '')).status).toBe(200)
  expect((await viewer.get('/affiliates/ada@example.edu')).status).toBe(404)
})

test('a viewer sees no campaign that may be a person’s name, and cannot guess one', async () => {
  const viewer = await operatorOf(product, admin, 'viewer')
  const at = now - 75 * day
  const campaigns = ['Dear Janessa', 'Dear Janessa', 'Dear Janessa', 'Dear Bo', 'Fall', 'Fall']
  const visits = [...campaigns, 'Fall', 'Retreat'].map((campaign, index) =>
    visit(`c${index}`, { area: 'general', campaign }),
  )
  await store.visits.save(visits, at)
  await store.visits.countEnded(now)
  const accept = (firstName: string, utm_campaign: string) =>
    store.intake.accept(
      exampleArrival({
        ...{ receivedAt: at, area: 'general', firstName },
        attribution: { first: {}, last: { utm_campaign } },
      }),
    )
  await accept('Janessa', 'Dear Janessa')
  await accept('Una', 'Retreat')
  const query = '?area=general&by=campaign&from=2026-09-07&to=2026-09-13'
  const labelsFor = async (who: SignedIn) =>
    (await rowsOf(query, 'Comparison', who)).map(([label]) => label)
  // The lead tells that Janessa is a person. No lead tells who Bo is, so a viewer doesn't see the name either.
  expect(await labelsFor(admin)).toEqual(['•••', 'Fall', 'Retreat', 'Dear Bo', 'All'])
  expect(await labelsFor(viewer)).toEqual(['•••', 'Fall', 'Retreat', '•••', 'All'])
  const numbersFor = async (campaign: string, who: SignedIn) => {
    const stages = await rowsOf(
      `${query}&campaign=${campaign}`,
      'From page view to accepted lead',
      who,
    )
    return [stages[0], stages[5]].map((stage) => stage?.[2])
  }
  expect(await numbersFor('dear%20JANESSA', admin)).toEqual(['3', '1'])
  for (const who of [admin, viewer]) {
    expect(await numbersFor('fALL', who)).toEqual(['3', '0'])
    expect(await numbersFor('retreat', who)).toEqual(['1', '1'])
  }
  expect(await numbersFor('dear%20bo', admin)).toEqual(['1', '0'])
  for (const guess of ['dear%20janessa', 'dear%20bo', 'dear%20nobody']) {
    expect(await numbersFor(guess, viewer), guess).toEqual([undefined, undefined])
  }
  const readPage = async () => (await viewer.get('/funnel')).text()
  // The console keeps the known campaigns for up to ten seconds.
  await expect.poll(readPage).toContain('<option value="Retreat">')
  const page = await readPage()
  expect(page).toMatch(/<input[^>]* list="campaign-values"/)
  expect(page).not.toMatch(/janessa/i)
})

test('sorts the table by the column that the operator clicks, and puts the same numbers into a file', async () => {
  const query = '?by=week&from=2026-10-26&to=2026-11-25'
  const page = await (await admin.get(`/funnel${query}`)).text()
  expect(page).not.toContain('aria-sort')
  const [, byVisits = ''] = />Week<.*?<a href="([^"]*)">Visits</s.exec(page) ?? []
  const open = (href: string) => admin.get(`/funnel${href.replaceAll('&amp;', '&').split('#')[0]}`)
  const down = await (await open(byVisits)).text()
  expect(down).toMatch(/<th[^>]* aria-sort="descending"><a [^>]*>Visits<\/a>/)
  const [, again = ''] = / aria-sort="descending"><a href="([^"]*)"/.exec(down) ?? []
  const weeksOf = async (href: string) =>
    (await rowsOf(href.replaceAll('&amp;', '&').split('#')[0] ?? '', 'Comparison')).map(
      ([week, visits]) => `${week}: ${visits}`,
    )
  const total = 'All: 5'
  expect(await weeksOf(byVisits)).toEqual([
    'Week of Nov 23, 2026: 4',
    'Week of Oct 26, 2026: 1',
    total,
  ])
  expect(await weeksOf(again)).toEqual([
    'Week of Oct 26, 2026: 1',
    'Week of Nov 23, 2026: 4',
    total,
  ])
  const [, csv = ''] =
    /href="([^"]*csv=comparison[^"]*)"/.exec(await (await open(again)).text()) ?? []
  const file = await open(csv)
  expect(file.headers.get('content-disposition')).toBe(
    'attachment; filename="comparison-by-week-2026-10-26-to-2026-11-25.csv"',
  )
  expect((await file.text()).split('\r\n')).toEqual([
    'Week,Visits,Started,Leads,Leads per visit,Accepted,Returned,Acceptance rate',
    '2026-10-26,1,1,1,1,0,0,',
    '2026-11-23,4,0.5,2,0.5,0,0,',
    '',
  ])
  expect((await admin.get('/funnel?csv=nothing')).status).toBe(404)
  expect((await admin.get('/funnel?csv=comparison&area=art')).status).toBe(400)
})

test('refuses a value that is too long instead of cutting it', async () => {
  const reply = await admin.get(`/funnel?campaign=${'x'.repeat(501)}`)
  expect([reply.status, (await reply.text()).includes('Use at most 500 characters.')]).toEqual([
    400,
    true,
  ])
})

test('compares by week, the latest first, and links to the week', async () => {
  const query = '?by=week&from=2026-10-26&to=2026-11-25'
  expect(await rowsOf(query, 'Comparison')).toEqual([
    ['Week of Nov 23, 2026', '4', '50%', '2', '50%', '0', '0', 'too few to tell'],
    ['Week of Oct 26, 2026', '1', '100%', '1', '100%', '0', '0', 'too few to tell'],
    ['All', '5', '60%', '3', '60%', '0', '0', 'too few to tell'],
  ])
  const page = await (await admin.get(`/funnel${query}`)).text()
  expect(page).toContain('/funnel?by=week&amp;from=2026-10-26&amp;to=2026-11-01')
})

test('compares with complete days only, and says which visits and leads came first', async () => {
  const none = (sentence: string) => async (query: string) => {
    const page = await (await admin.get(`/funnel${query}`)).text()
    expect(page, query).toContain(sentence)
    const stages = await rowsOf(query, 'From page view to accepted lead')
    expect(
      stages.map((cells) => cells.slice(4)),
      query,
    ).toEqual(Array(7).fill(['–', '–']))
    const [step] = await rowsOf(query, 'Steps')
    expect(step?.[3], query).toBe('–')
    for (const row of await rowsOf(query, 'Lead results')) expect(row[3], query).toBe('–')
  }
  const july = 'the first visit is from Jul 28, 2026, and the first lead is from Jul 28, 2026.'
  // The store began after the earlier weeks, and in the middle of them.
  await none(july)('?from=2025-11-25')
  await none(july)('?from=2026-08-24&to=2026-09-20')
  await none('No comparison: the first visit is from Nov 24, 2026, and there is no lead yet.')(
    '?area=healthcare',
  )
  for (const query of ['', '?affiliate=a7', '?from=2026-08-31&to=2026-09-20']) {
    expect(await (await admin.get(`/funnel${query}`)).text()).not.toContain('No comparison')
  }
})

test('names the errors of an address', async () => {
  const reply = await admin.get('/funnel?area=art&from=2026-13-01&to=2020-01-01')
  expect(reply.status).toBe(400)
  const page = await reply.text()
  expect(page).toContain('“art” isn’t a valid value.')
  expect(page).toContain('“2026-13-01” is not a date')
  expect((await admin.get('/funnel?arae=business')).status).toBe(400)
  expect((await admin.get('/funnel?from=2026-11-20&to=2026-11-01')).status).toBe(400)
})

test('says how visits get there if there are none', async () => {
  const page = await (await admin.get('/funnel?area=education')).text()
  expect(page).toContain('No visits on these days')
})

test('compares tens of thousands of made-up affiliates without a long pause', async () => {
  const day = Date.UTC(2026, 8, 30)
  const none = { area: null, source: null, campaign: null, device: null, program: null }
  const counts = { ...none, from_at: day, started: 0, details: '{}' }
  const made = Array.from({ length: 30_000 }, (_, index) => ({
    ...{ ...counts, scope: 'affiliate' as const, affiliate: `made-up-${index}` },
    ...{ group_id: index, seen: 1 },
  }))
  const { db } = store.database
  for (let from = 0; from < made.length; from += 1000) {
    await db
      .insertInto('funnel_counts')
      .values(made.slice(from, from + 1000))
      .execute()
  }
  const all = { ...counts, scope: 'all' as const, affiliate: null, group_id: 0, seen: made.length }
  await db.insertInto('funnel_counts').values(all).execute()
  const before = process.cpuUsage()
  const page = await admin.get('/funnel?by=affiliate&from=2026-09-28&to=2026-10-04')
  const { user, system } = process.cpuUsage(before)
  expect(await page.text()).toContain('made-up-')
  expect((user + system) / 1000).toBeLessThan(4000)
})

test('each line says its value before, and the margin says what it consists of', async () => {
  const paid = { name: 'Paid', ids: 'p7', payout: '20', postback: '', notes: '' }
  await admin.post('/affiliates', paid)
  await admin.post('/statements/revenue', { amount: '60', startsOn: '', program: '' })
  const spent = { source: 'google', campaign: '' }
  await admin.post('/spend', { ...spent, day: '2026-11-25', amount: '5' })
  await admin.post('/spend', { ...spent, day: '2026-10-25', amount: '9' })
  const { lead, ...arrival } = exampleArrival({ receivedAt: now - hour, subId: 'p7' })
  await store.intake.accept({ lead, ...arrival })
  await settleLead(store, lead.id, 'delivered', now - hour)
  const page = await (await admin.get('/funnel?range=last-28-days&unit=week')).text()
  const text = page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  for (const line of [
    'Visits 4 Before: 1.',
    'Leads 3 Before: 1.',
    'Accepted leads 1 Before: 0.',
    'Acceptance rate: too few to tell. Before: too few to tell.',
    'Margin $35.00 Before: -$9.00. Revenue $60.00, owed $20.00, ad spend $5.00.',
  ]) {
    expect(text).toContain(line)
  }
})
