import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

/** In New York it is Friday, November 27, 21:00. */
const now = Date.parse('2026-11-28T02:00Z')
const zone = 'America/New_York'

let product: InProcessProduct
let admin: SignedIn

beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console', SCHOOL_TIME_ZONE: zone }, undefined, () => now)
  const store = await openStore(product.store)
  const times = [
    // Today, of which 00:30 and 20:59 are two days in UTC.
    ...['2026-11-27T00:30-05:00', '2026-11-27T12:00-05:00', '2026-11-27T20:59-05:00'],
    // Yesterday, and the first and last minute of October, which had an hour more or less in UTC.
    ...['2026-11-26T23:59-05:00', '2026-10-01T00:00-04:00', '2026-10-31T23:59-04:00'],
    // A year ago, and the end of the September before.
    ...['2025-10-01T00:00-04:00', '2025-10-31T23:59-04:00', '2025-11-01T00:00-04:00'],
    ...['2025-09-30T23:59-04:00', '2026-09-30T23:59-04:00', '2025-01-01T12:00-05:00'],
  ]
  for (const time of times) {
    await store.intake.accept(exampleArrival({ receivedAt: Date.parse(time), subId: 'a7' }))
  }
  await store.close()
  admin = await signIn(product.consoleLink)
  await admin.post('/affiliates', {
    ...{ name: 'Acme', ids: 'a7', payout: '', postback: '', notes: '' },
  })
})
afterAll(() => product.stop())

const pageAt = async (address: string): Promise<string> => (await admin.get(address)).text()

/** The texts of the cells of the table's row that begins with the given heading. */
async function rowOf(address: string, table: string, heading: string): Promise<string[]> {
  const page = await pageAt(address)
  const found = new RegExp(`<table[^>]*aria-label="${table}".*?</table>`, 's').exec(page)?.[0] ?? ''
  const rows = [...found.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd](?![a-z]).*?<\/t[hd]>/gs)].map(([cell]) =>
      cell.replaceAll(/<[^>]*>/g, '').trim(),
    ),
  )
  return rows.find(([first]) => first === heading) ?? []
}

test('today is the same number on every page and in the command', async () => {
  const overview = await rowOf('/?range=today', 'Lead results', 'All leads')
  const [, soFar] = /(\d+) received so far/.exec(await pageAt('/')) ?? []
  const affiliates = await rowOf('/affiliates?range=today', 'Affiliates', 'Acme')
  const [, , funnel] = await rowOf(
    '/funnel?range=today',
    'From page view to accepted lead',
    'Lead received',
  )
  const list = await pageAt('/leads?from=2026-11-27&to=2026-11-27')
  const [, found] = /(\d+) leads/.exec(list) ?? []
  expect([overview[1], soFar, affiliates[2], funnel, found]).toEqual(Array(5).fill('3'))
  expect(list).toContain('title="2026-11-27T20:59:00.000-05:00">Nov 27, 2026, 8:59')
  const [, link = ''] =
    /<a href="(\/leads\?[^"]*)">3<\/a>/.exec(await pageAt('/funnel?range=today')) ?? []
  expect(link).toContain('from=2026-11-27&amp;to=2026-11-27')
})

test('a month is compared with the month before, or with the same month a year ago', async () => {
  for (const [query, before] of [
    ['range=last-month', '1'],
    ['range=last-month&compare=year', '2'],
    ['from=2026-10-01&to=2026-10-31&compare=year', '2'],
  ]) {
    const [, now, , earlier] = await rowOf(`/?${query}`, 'Lead results', 'All leads')
    expect([query, now, earlier]).toEqual([query, '2', before])
    const [, leads, , was] = await rowOf(`/funnel?${query}`, 'Lead results', 'Waiting')
    expect([query, leads, was]).toEqual([query, '2', before])
  }
  for (const path of ['/', '/funnel']) {
    const page = await pageAt(`${path}?range=last-month&compare=year`)
    expect(page).toContain('Oct 1, 2025 – Oct 31, 2025')
    expect(page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toContain(
      'Margin $0.00 Before: $0.00. Revenue $0.00, owed $0.00, ad spend $0.00.',
    )
  }
})

test('the page Affiliates is compared only if somebody asks', async () => {
  const columnsOf = async (query: string) => {
    const [names, acme, all] = await Promise.all(
      ['Name', 'Acme', 'All affiliates'].map((heading) =>
        rowOf(`/affiliates?from=2026-10-01&to=2026-10-31${query}`, 'Affiliates', heading),
      ),
    )
    return names?.slice(0, 4).map((name, index) => [name, acme?.[index], all?.[index]])
  }
  const leads = [
    ['Name', 'Acme', 'All affiliates'],
    ['Leads', '2', '2'],
  ]
  expect(await columnsOf('')).not.toContainEqual(['Leads, before', '1', '1'])
  expect(await columnsOf('&compare=before')).toEqual([
    ...[...leads, ['Leads, before', '1', '1']],
    ['Accepted', '0', '0'],
  ])
  expect(await columnsOf('&compare=year')).toMatchObject([
    ...leads,
    ['Leads, before', '2', '2'],
    {},
  ])
  const page = await pageAt('/affiliates?range=last-month&compare=before')
  expect(page).toMatch(/href="\/leads\?affiliate=a7&amp;from=2026-09-01&amp;to=2026-09-30">1</)
  const tooEarly = '/affiliates?from=2025-01-01&to=2025-01-31&compare=before'
  expect(await pageAt(tooEarly)).toContain(
    'No comparison of leads: the first lead is from Jan 1, 2025.',
  )
  expect(await rowOf(tooEarly, 'Affiliates', 'Name')).not.toContain('Leads, before')
})

test('each month of the last year is one click away', async () => {
  for (const path of ['/', '/funnel', '/affiliates']) {
    const page = await pageAt(`${path}?range=today&compare=year`)
    const [, link = ''] = /href="([^"]*)">September 2026</.exec(page) ?? []
    expect(link).toBe(`${path}?from=2026-09-01&amp;to=2026-09-30&amp;compare=year`)
    expect(page).toContain('>November 2025</a>')
    expect(await pageAt(link.replaceAll('&amp;', '&'))).toMatch(
      /aria-current="true">September 2026</,
    )
  }
})

test('every page begins with the last 28 days and names the zone once', async () => {
  for (const address of ['/', '/funnel', '/affiliates', '/caps', '/leads']) {
    const page = await pageAt(address)
    const text = page.replaceAll(/<[^>]*>/g, '')
    expect(text.split(zone).length - 1, address).toBe(1)
    if (address === '/caps' || address === '/leads') continue
    expect(page, address).toContain('Oct 31, 2026 – Nov 27, 2026')
    expect(page, address).toMatch(/<a href="[^"]*" aria-current="true">Last 28 days/)
  }
})

test('wrong days are named at their place, and the page shows its default', async () => {
  for (const [query, fault] of [
    ['from=2026-02-30', '“2026-02-30” is not a date'],
    ['from=2026-11-28', 'This day has not begun.'],
    ['from=2026-11-20&to=2026-11-19', 'Choose a day on or after the first day.'],
    ['range=last-year', '“last-year” isn’t a valid value.'],
  ] as const) {
    for (const path of ['/', '/affiliates', '/funnel', '/returns']) {
      const reply = await admin.get(`${path}?${query}`)
      const page = await reply.text()
      expect([path, query, reply.status]).toEqual([path, query, 400])
      expect(page).toContain(fault)
      expect(page).toContain('The days have an error: the page shows the last 28 days')
      expect(page).toContain('Oct 31, 2026 – Nov 27, 2026')
      // An unknown unit changes no days.
      const other = await (await admin.get(`${path}?range=last-month&unit=year`)).text()
      expect(other).toContain('The page leaves out what has an error')
      expect(other).toContain('Oct 1, 2026 – Oct 31, 2026')
    }
  }
})

test('commands count the same days, and exported times carry the zone’s offset', async () => {
  const say = async (...args: readonly string[]) =>
    (await sayVerb(product.store, args, { SCHOOL_TIME_ZONE: zone })).stdout
  const days = ['--from', '2026-11-27', '--to', '2026-11-27']
  const listed = JSON.parse(await say('affiliates', 'list', ...days, '--json'))
  expect(listed.affiliates[0].leads).toBe(3)
  const exported = await say('export', '--format', 'jsonl', ...days)
  const times = exported.split('\n').flatMap((line) => (line ? [JSON.parse(line).received_at] : []))
  expect(times).toEqual([
    '2026-11-27T00:30:00.000-05:00',
    '2026-11-27T12:00:00.000-05:00',
    '2026-11-27T20:59:00.000-05:00',
  ])
})
