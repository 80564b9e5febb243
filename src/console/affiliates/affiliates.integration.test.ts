import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { type Answered, storeAnswered } from '#tests/store/store-answered.ts'

const now = Date.UTC(2026, 10, 25, 17)
/** What the console's clock says. */
let time = now

let product: InProcessProduct
let store: Store
let admin: SignedIn
/** The path of the affiliate's page. */
let acme = ''

const area = 'Outside of service area'

const ofAcme = (state: string, said?: string, utm_medium = 'cpc'): Answered => [
  { subId: 'a7', state, attribution: { first: {}, last: { utm_medium, utm_source: 'x' } } },
  said,
]

beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' }, undefined, () => time)
  admin = await signIn(product.consoleLink)
  store = await openStore(product.store)
  const fields = { postback: '', notes: '' }
  const added = await admin.post('/affiliates', {
    ...fields,
    name: 'Acme',
    ids: 'a7',
    payout: '20',
  })
  acme = added.headers.get('location') ?? ''
  await admin.post('/affiliates', { ...fields, name: 'Best', ids: 'b1', payout: '' })
  await storeAnswered(store, now - 60_000, [
    ...[ofAcme('TX', area), ofAcme('TX', area), ofAcme('CA', area), ofAcme('TX'), ofAcme('TX')],
    ofAcme('NV', 'Duplicate of Zoë', 'email'),
    [{ subId: 'b1', state: 'TX' }, area],
    [{ subId: 'stranger', state: 'OH' }],
  ])
  const suspicious = { receivedAt: now - 60_000, attribution: null, subId: 'b1', state: 'NV' }
  await store.intake.accept({ ...exampleArrival(suspicious), isQuarantined: true })
})
afterAll(async () => {
  await store.close()
  await product.stop()
})

const pageOf = async (path: string, by = admin): Promise<string> =>
  (await by.get(path.replaceAll('&amp;', '&'))).text()

/** The texts of a table's rows, cell by cell, with the totals. */
const rowsOf = (page: string, table: string): string[][] =>
  [
    ...(
      new RegExp(`<table[^>]*aria-label="${table}".*?</table>`, 's').exec(page)?.[0] ?? ''
    ).matchAll(/<tr.*?<\/tr>/gs),
  ]
    .slice(1)
    .map(([row]) =>
      [...row.matchAll(/<td.*?<\/td>/gs)].map(([cell]) => cell.replaceAll(/<[^>]*>/g, '').trim()),
    )

test('an affiliate’s page leads to the reasons of its rejections, and says its states', async () => {
  const page = await pageOf(`${acme}?range=last-7-days`)
  expect(page).toMatch(/<code>http:[^<]+\/\?affid=a7<\/code>/)
  const [, funnel = ''] = /href="(\/funnel\?[^"]*)">a7</.exec(page) ?? []
  expect(funnel).toContain('last-7-days')
  const byReason = await pageOf(funnel)
  const labelsOf = (shown: string) => rowsOf(shown, 'Comparison').map(([label]) => label)
  expect(labelsOf(byReason)).toEqual([area, 'not rejected', 'Duplicate of …', 'All'])
  // A click on the reason compares its leads by state, with a map, and the numbers lead to the leads.
  const [, narrowed = ''] = new RegExp(`href="([^"]*)"[^>]*>${area}<`).exec(byReason) ?? []
  const states = await pageOf(narrowed)
  expect(labelsOf(states)).toEqual(['TX', 'CA', 'All'])
  expect(states).toContain('A number is the percentage of these leads that are from the state.')
  expect(states).toMatch(/>CA<\/text>.{0,60}>33</)
  const [, leads = ''] = /<a href="(\/leads\?[^"]*state=TX[^"]*)">2<\/a>/.exec(states) ?? []
  const listed = (await pageOf(leads)).replaceAll('<!-- -->', '')
  expect(listed).toContain('2 leads')
  // The filter and the list show the reason. Typed in any case, it selects the same leads again.
  expect(listed).toMatch(new RegExp(`name="error"[^>]* value="${area}"`))
  expect(listed).toMatch(new RegExp(`Last error.{0,9}<b><span title="rejected">${area}<`))
  const typed = new URLSearchParams(leads.replaceAll('&amp;', '&').split('?')[1])
  typed.set('error', area.toUpperCase())
  const again = (await pageOf(`/leads?${typed}`)).replaceAll('<!-- -->', '')
  expect(again).toContain('2 leads')
  expect(again).toMatch(new RegExp(`<datalist id="error-values">.*<option value="${area}">`))
})

test('the funnel by source has the money of each source, with or without leads', async () => {
  const spent = { day: '2026-11-25', campaign: '' }
  await admin.post('/spend', { ...spent, source: 'X', amount: '5' })
  await admin.post('/spend', { ...spent, source: 'unseen', amount: '3' })
  await admin.post('/spend', { ...spent, source: 'wrong', amount: '9' })
  await admin.post('/spend', { ...spent, source: 'wrong', amount: '0' })
  const money = async (query: string) =>
    rowsOf(await pageOf(`/funnel?${query}`), 'Comparison').map((row) => [row[0], ...row.slice(8)])
  expect(await money('by=source')).toEqual([
    ['x', '–', '$40.00', '$5.00', '–'],
    ['no source', '–', '–', '–', '–'],
    ['unseen', '$0.00', '–', '$3.00', '-$3.00'],
    ['All', '–', '$40.00', '$8.00', '–'],
  ])
  // Days without a visit or a lead still have their loss.
  await admin.post('/spend', { ...spent, day: '2026-09-01', source: 'x', amount: '4' })
  expect(await pageOf('/funnel?from=2026-09-01&to=2026-09-02')).toContain('-$4.00')
  // Ad spend has no area.
  expect(await money('by=source&area=business')).toEqual([])
  const file = await admin.get('/funnel?by=source&csv=comparison')
  expect(await file.text()).toContain('Revenue,Owed,Ad spend,Margin\r\n')
})

test('the list of affiliates filters by state, reason and medium, and has totals', async () => {
  const all = rowsOf(await pageOf('/affiliates?sort=affiliates.name.down'), 'Affiliates')
  expect(all.map((row) => [row[0], ...row.slice(2, 6), row.at(-3)])).toEqual([
    ['Best', '2', '1', '1', '0', '$0.00'],
    ['Acme', '6', '4', '0', '2', '$40.00'],
    ['All affiliates', '8', '5', '1', '2', '$40.00'],
  ])
  const numbersOf = async (query: string) =>
    rowsOf(await pageOf(`/affiliates?${query}`), 'Affiliates').map((row) => `${row[0]} ${row[2]}`)
  expect(await numbersOf('state=tx&reason=OUTSIDE+of+service+area')).toEqual([
    'Acme 2',
    'Best 1',
    'All affiliates 3',
  ])
  expect(await numbersOf('medium=EMAIL')).toEqual(['Acme 1', 'Best 0', 'All affiliates 1'])
  // `/leads` cannot select the leads of a reason without words.
  expect(await pageOf('/affiliates?reason=no+reason+given')).not.toContain('/leads?')
  const file = await admin.get('/affiliates?csv=affiliates&state=tx')
  expect(await file.text()).toBe(
    [
      'Name,Ids,Leads,Rejected,Quarantined,Accepted,Returned,Acceptance rate',
      'Acme,a7,4,2,0,2,0,',
      'Best,b1,1,1,0,0,0,',
      '',
    ].join('\r\n'),
  )
  const filtered = await pageOf('/affiliates?state=oh')
  expect(filtered).toContain('Under a filter, the list leaves out money.')
  // A filter selects no visits, which doesn't mean that there are none.
  expect(rowsOf(filtered, 'Ids without an affiliate')).toEqual([
    ['stranger', '–', '1', 'Adopt'],
    ['All ids', '–', '1', '–'],
  ])
  // Of leads that were rejected for a reason, none is accepted.
  const ofReason = await pageOf(`/affiliates?csv=affiliates&reason=${encodeURIComponent(area)}`)
  expect(ofReason).toContain('Name,Ids,Leads,Rejected,Quarantined\r\n')
  expect(await pageOf(`/affiliates?reason=${encodeURIComponent(area)}`)).not.toContain('no rate to')
  const wrong = await admin.get('/affiliates?state=Texas')
  expect([wrong.status, (await wrong.text()).includes('Enter a state’s two letters')]).toEqual([
    400,
    true,
  ])
})

test('the file of a scorecard contains plain numbers', async () => {
  const linesOf = async (path: string) => (await pageOf(path)).trim().split('\r\n')
  const file = await admin.get(`${acme}?csv=scorecard&range=yesterday`)
  expect(file.headers.get('content-disposition')).toContain(
    '"scorecard-acme-2026-11-24-to-2026-11-24.csv"',
  )
  expect(await linesOf(`${acme}?csv=scorecard`)).toEqual(
    expect.arrayContaining(['Leads,6,', 'Owed,40,', 'Payout per kept lead,20,']),
  )
})

test('a statement says whose it is, for which days, and how each amount comes about', async () => {
  const path = `/statements/${acme.split('/').at(-1)}/2026-11`
  expect(await pageOf(acme)).toContain(`href="${path}"`)
  const page = (await pageOf(path)).replaceAll(/<[^>]*>/g, ' ')
  expect(page).toContain('November 1–30, 2026')
  expect(page).toContain('a7')
  expect(page).toContain('open: the numbers can still change')
  expect(rowsOf(await pageOf(path), 'Leads by payout')).toEqual([
    ['$20.00', '2', '0', '0', '(2 − 0 − 0) × $20.00', '$40.00'],
    ['Total', '2', '0', '0', '–', '$40.00'],
  ])
})

test('no page links to statements of a month that has not begun', async () => {
  expect(await pageOf('/statements?month=2026-10')).toContain('/statements?month=2026-11')
  expect(await pageOf('/statements?month=2026-11')).not.toContain('month=2026-12')
})

test('a viewer can’t search affiliates for a person', async () => {
  const viewer = await operatorOf(product, admin, 'viewer')
  expect((await viewer.get('/affiliates?medium=a@b.example')).status).toBe(403)
  // The page must not tell that a lead has its own person's name in its link.
  const named = { first: {}, last: { utm_content: 'zed-quux' } }
  const person = { lastName: 'Quux', receivedAt: now - 60_000, attribution: named }
  await store.intake.accept(exampleArrival(person))
  const compare = (content: string, by: SignedIn) =>
    pageOf(`/affiliates?range=this-month&compare=before&content=${content}`, by)
  expect(await compare('zed-quux', admin)).toContain('the first lead is from Nov 25, 2026')
  for (const guess of ['zed-quux', 'zed-quuz']) {
    expect(await compare(guess, viewer), guess).toContain('there is no lead yet')
  }
})

test('a filter that the list of affiliates lacks is refused', async () => {
  const reply = await admin.get('/affiliates?source=google')
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('There is no filter “source”')
})

test('a new payout keeps the range of the page', async () => {
  const page = await pageOf(`${acme}?range=last-month`)
  const [, action = ''] = /action="([^"]*payouts[^"]*)"/.exec(page) ?? []
  const payout = { amount: '21', startsOn: '', program: '' }
  const saved = await admin.post(action.replaceAll('&amp;', '&'), payout)
  expect(saved.headers.get('location')).toBe(`${acme}?range=last-month`)
  const again = { amount: 'ten', startsOn: '', program: '' }
  const refused = await admin.post(action.replaceAll('&amp;', '&'), again)
  expect(await refused.text()).toContain(`href="${acme}?range=last-7-days"`)
  const details = { name: 'Acme', ids: 'a7', postback: '', notes: 'x' }
  const changed = await admin.post(`${acme}?range=last-month`, details)
  expect(changed.headers.get('location')).toBe(`${acme}?range=last-month`)
})

test('a form without a field keeps what the affiliate has', async () => {
  const added = await admin.post('/affiliates', { name: 'Kept', ids: 'k1', notes: 'calls at noon' })
  const kept = added.headers.get('location') ?? ''
  await admin.post(kept, { name: 'Kept Media' })
  const page = await pageOf(kept)
  expect(page).toContain('Kept Media')
  expect(page).toMatch(/name="ids"[^>]*>k1<|value="k1"/)
  expect(page).toContain('calls at noon')
})

test('a chart of returns says that its days are those of the returns, not of the leads', async () => {
  const received = now - 40 * 24 * 3_600_000
  const { lead, ...arrival } = exampleArrival({ receivedAt: received, subId: 'a7' })
  await store.intake.accept({ lead, ...arrival })
  await settleLead(store, lead.id, 'delivered', received)
  const columns = { 'column-lead': 'reference', 'column-date': 'date', 'column-reason': '' }
  const pasted = `reference,date\n${lead.id},2026-11-20\n`
  expect((await admin.post('/returns', { ...columns, pasted })).status).toBe(303)
  time += 60_000
  const page = await pageOf(`${acme}?range=last-7-days`)
  expect(rowsOf(page, 'Lead results').map(([name]) => name)).not.toContain('Returned')
  expect(page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toContain(
    'Returns by age 1 Recorded on these days, whenever the leads were received.',
  )
})

test('the chart of acceptance rates says who is stopped, and its file has short shares', async () => {
  const answered = (said?: string): Answered => [{ subId: 's7', state: 'TX' }, said]
  const added = await admin.post('/affiliates', {
    ...{ name: 'Slow', ids: 's7', payout: '', postback: '', notes: '' },
  })
  const slow = added.headers.get('location') ?? ''
  await storeAnswered(store, now - 60_000, [
    ...Array.from({ length: 10 }, () => answered()),
    answered(area),
  ])
  await admin.post(`${slow}/stop`, { reason: 'slow' })
  expect(await pageOf('/affiliates?range=today')).toMatch(/<li[^>]*><a [^>]*>Slow \(stopped\)</)
  const file = await admin.get(`${slow}?range=last-7-days&csv=numbers-by-day`)
  expect(file.headers.get('content-disposition')).toContain(
    '"numbers-by-day-slow-2026-11-19-to-2026-11-25.csv"',
  )
  expect(await file.text()).toContain('2026-11-25,0,11,10,0.9091,')
})
