import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

let product: InProcessProduct
let admin: SignedIn
beforeAll(async () => {
  const now = Date.UTC(2026, 11, 5, 17)
  product = await startInProcess({ ROLE: 'console' }, undefined, () => now)
  admin = await signIn(product.consoleLink)
})
afterAll(() => product.stop())

test('a statement’s file begins with a byte order mark, so that Excel reads it as UTF-8', async () => {
  const fields = { name: 'Zoë Média', ids: 'a7', payout: '', postback: '', notes: '' }
  await admin.post('/affiliates', fields)
  const list = await (await admin.get('/affiliates')).text()
  const [, id] = /\/affiliates\/([\da-f-]{36})/.exec(list) ?? []
  const file = await admin.get(`/statements/${id}/2026-10/csv`)
  expect(file.headers.get('content-disposition')).toContain('"statement-zoe-media-2026-10.csv"')
  expect(Buffer.from(await file.arrayBuffer()).toString()).toMatch(/^\uFEFFaffiliate,month,/)
})

test('an admin closes all statements of a month at once, after reading how many and how much', async () => {
  const store = await openStore(product.store)
  for (const [name, ids] of Object.entries({ Acme: 'b7', Best: 'c7' }))
    await admin.post('/affiliates', { name, ids, payout: '20', postback: '', notes: '' })
  for (const [month, subId] of [
    ...[
      [8, 'b7'],
      [9, 'b7'],
      [9, 'c7'],
    ],
  ] as const) {
    const at = Date.UTC(2026, month, 20)
    const { lead, ...arrival } = exampleArrival({ receivedAt: at, subId: `${subId}` })
    await store.intake.accept({ lead, ...arrival })
    await settleLead(store, lead.id, 'delivered', at)
  }
  await store.close()
  const textOf = async (path: string) =>
    (await (await admin.get(path)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  // A month without leads is not in the list.
  const before = await textOf('/statements?month=2026-10')
  expect(before).toContain(
    'owed to 2 affiliates; 2 statements are open. Open in other months: September 2026 (1).',
  )
  expect(before).toContain('Close all of October 2026')
  expect(before).toMatch(/Accepted +2 +1 +Returned/)
  expect((await admin.get('/statements/all/2026-10')).status).toBe(404)
  const asked = await textOf('/statements/all/2026-10/close')
  expect(asked).toContain('2 affiliates are owed $40.00 for October 2026')
  const path = '/statements/all/2026-10/close'
  const changed = await admin.post(path, { shown: '2000 2' })
  expect(changed.headers.get('location')).toBe(path)
  expect(await textOf('/statements?month=2026-10')).toContain('2 statements are open')
  const closed = await admin.post(path, { shown: '4000 2' })
  expect(closed.headers.get('location')).toBe('/statements?month=2026-10')
  const after = await textOf('/statements?month=2026-10')
  expect(after).toContain('0 statements are open. Open in other months: September 2026 (1).')
  expect(after).not.toContain('Close all of')
  // The other months count the same statements as the month's own page.
  expect(await textOf('/statements?month=2026-09')).toContain('; 1 statement is open.')
  const future = await textOf('/statements?month=2027-05')
  expect(future).toContain('May 2027 has not begun.')
  expect(future).not.toContain('open. ')
  expect(after).toContain('Total 2 0 0 $40.00 –')
  expect(after).toContain('← September 2026 November 2026 →')
  const file = await admin.get(
    '/statements?month=2026-10&csv=statements-of-october-2026&sort=statements-of-october-2026.affiliate.down',
  )
  expect(file.headers.get('content-disposition')).toContain('"statements-of-october-2026.csv"')
  expect((await file.text()).split('\r\n')).toEqual([
    'Affiliate,Accepted,Returned,Reversed,Owed,Statement',
    'Zoë Média,0,0,0,0,no leads',
    'Best,1,0,0,20,closed',
    'Acme,1,0,0,20,closed',
    '',
  ])
  expect(await textOf('/statements?month=2026-11')).toContain('Owed $0.00 $40.00')
  await admin.post('/statements/revenue', { amount: '60', startsOn: '', program: '' })
  const revenue = await (await admin.get('/statements?csv=revenue-by-day')).text()
  expect(revenue).toMatch(
    /From,Program,Revenue,Set by,Set at\r\n2026-12-05,all,60,[^,]+,2026-12-05T\d\d:[^,]+\r\n$/,
  )
  expect(await textOf(path)).toContain('No statement of October 2026 is open.')
  expect((await admin.get(path)).status).toBe(404)
})

/** The page with the message of the reply. */
const afterRedirect = async (path: string, reply: Response): Promise<string> => {
  const flash = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return (await admin.get(path, { cookie: [admin.cookie, ...flash].join('; ') })).text()
}

test('a refused closing says from which day the month can be closed', async () => {
  const list = await (await admin.get('/statements?month=2026-12')).text()
  const [, path = ''] = /href="(\/statements\/[\da-f-]{36}\/2026-12)"/.exec(list) ?? []
  const refused = await admin.post(`${path}/close`, { shown: '0 1' })
  const page = await afterRedirect('/statements?month=2026-12', refused)
  expect(page).toContain('December 2026 can be closed from Jan 1, 2027 on. Nothing was changed.')
})

test('a removed affiliate’s statement has no link to the affiliate’s page', async () => {
  const saved = await admin.post('/affiliates', {
    ...{ name: 'Gone', ids: 'd7', payout: '20', postback: '', notes: '' },
  })
  const path = saved.headers.get('location') ?? ''
  const statement = `/statements/${path.split('/').at(-1)}/2026-11`
  expect(await (await admin.get(statement)).text()).toContain(`href="${path}"`)
  await admin.post(`${path}/remove`)
  expect(await (await admin.get(statement)).text()).not.toContain(`href="${path}"`)
})

test('a statement names who pays and who is paid', async () => {
  const list = await (await admin.get('/statements?month=2026-10')).text()
  const [, path = ''] = /href="(\/statements\/[^"]*)">Acme</.exec(list) ?? []
  const page = (await (await admin.get(path)).text()).replaceAll(/<[^>]*>/g, ' ')
  expect(page).toContain('Statement of November 2026')
  expect(page).toMatch(/Payer\s+Larkspur Admissions Marketing\s+Payee\s+Acme/)
})

test('the ad spend of a month has a total, masks people, and says what a correction changed', async () => {
  const add = (amount: string, source = 'google') =>
    admin.post('/spend', { day: '2026-10-03', source, campaign: '', amount })
  await add('12.50')
  await add('1', 'ada@example.com')
  const corrected = await add('13')
  expect(corrected.headers.get('location')).toBe('/spend?month=2026-10')
  const textOf = async (path: string) =>
    (await (await admin.get(path)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(await afterRedirect('/spend', corrected)).toContain('2026-10-03 google: $12.50 → $13.00.')
  const page = await textOf('/spend')
  expect(page).toContain('Total – – $14.00')
  expect(page).not.toContain('ada@')
  const days = Array.from({ length: 101 }, (_, at) => `2026-08-01,source ${at},1`)
  await admin.post('/spend/import', {
    pasted: ['day,source,amount', ...days].join('\n'),
    ...{ 'column-day': 'day', 'column-source': 'source', 'column-amount': 'amount' },
  })
  const long = await textOf('/spend?month=2026-08')
  expect(long).toContain('source 100')
  expect(long).not.toContain('leaves out')
  expect(await textOf('/spend?month=2026-09')).toContain('No ad spend has been imported or added')
  expect((await admin.get('/spend?month=x')).status).toBe(400)
  const imported = await admin.post('/spend/import', {
    pasted: 'day,source,amount\n2026-10-03,google,14\n2026-10-04,google,2\n',
    ...{ 'column-day': 'day', 'column-source': 'source', 'column-amount': 'amount' },
  })
  expect(await afterRedirect('/spend', imported)).toContain('2026-10-03 google: $13.00 → $14.00.')
})
