import { afterAll, beforeAll, expect, test } from 'vitest'
import { funnelGroupsPerNetwork, visitsPerNetwork } from '#server/enquiries/rate-limits.ts'
import { countRows } from '#server/platform/database/rows.ts'
import { openStore } from '#server/store/open-store.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { postForm, wholeForm } from '#tests/product/posted-form.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore, type Row } from '#tests/store/ask-store.ts'

let product: InProcessProduct
beforeAll(async () => {
  product = await startInProcess({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => product.stop())

const idOf = (number: number): string => number.toString(16).padStart(32, '0')

interface ReportOptions {
  readonly area?: string
  readonly attribution?: string
  readonly step?: number
  readonly openMs?: number
  readonly more?: readonly string[]
}

/** A report's body: a visit that took `openMs` from the first step to `step`, and `more` lines. */
const report = (
  id: number,
  { area = 'business', attribution = '', step = 1, openMs = 1000, more = [] }: ReportOptions = {},
) => {
  const begin = timeBefore(openMs)
  const notes = [`${begin},,0,,0,,`, `${begin},i,0,,0,firstName,0`]
  const end = `${timeBefore(0)},,${step},,0,,`
  return [area, 390, attribution, `${idOf(id)},${begin}`, ...notes, ...more, end].join('\n')
}

const timeBefore = (ms: number) => Date.now() - ms

const send = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${product.url}/api/events`, { method: 'POST', body, headers })

const from = (ip: string) => ({ 'x-forwarded-for': ip })

interface StoredVisit extends Row {
  readonly progress: { readonly step: number }
}

/** Waits until the product has stored what it took, which ends with the visit `last`. */
const stored = (last: string) =>
  untilPasses(async () => {
    const rows = await askStore(product.store, 'select * from visits order by id')
    const visits: readonly StoredVisit[] = rows.map((row) => ({
      ...row,
      progress: JSON.parse(String(row.progress)),
    }))
    expect(visits.map(({ id, progress }) => [id, progress.step])).toContainEqual([last, 4])
    return visits
  })

test('reports of visits', async () => {
  const cookie = { cookie: 'affiliate-id=partner%207' }
  const answers = [
    send(
      report(1, { attribution: `utm_source=${'x'.repeat(500)}&utm_campaign=spring%0A&gclid=C` }),
      cookie,
    ),
    // Malformed lines are dropped, and the other lines are kept.
    send(report(2, { more: ['Ada', `${timeBefore(0)},e,0,,0,password,Ada missing`] })),
    send(report(3, { attribution: 'utm_source=news' }), { ...cookie, 'sec-gpc': '1' }),
    send(report(4, { attribution: 'utm_source=news' }), { ...cookie, dnt: '1' }),
    ...['', '{', '[]', 'null', 'business\n390\n\n1'].map((body) => send(body)),
    send(report(5, { openMs: 90_000_000 })),
    send(report(6, { area: 'Ada' })),
    send(report(7, { attribution: 'x'.repeat(5000) })),
  ]
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(204)
  expect((await send(report(8), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await send(report(8), { origin: 'https://elsewhere.example' })).status).toBe(403)

  // One network can change a count by no more than its share, and others are still counted.
  const flood = Array.from({ length: visitsPerNetwork + 50 }, (_, made) => report(1000 + made))
  await Promise.all(flood.map((made) => send(made, from('203.0.113.9'))))
  await send(report(1000, { step: 2 }), from('203.0.113.9'))
  await send(report(9), from('203.0.113.10'))
  // Nor can it name more groups than its share.
  const names = Array.from({ length: funnelGroupsPerNetwork + 20 }, (_, made) => made)
  const named = names.map((made) =>
    report(0x2000 + made, { attribution: `utm_campaign=made-${made}` }),
  )
  await Promise.all(named.map((made) => send(made, from('203.0.113.11'))))
  const [repeated = ''] = named
  await send(repeated, from('203.0.113.11'))

  // Without JavaScript, each posted step is a report.
  const page = await postForm(product.url, { ...wholeForm(), step: '0' }, { path: '/business' })
  const visit = /name="visit" value="([\da-f]{32})"/.exec(await page.text())?.[1] ?? ''
  const startedAt = String(Date.now() - 5000)
  const posted = (more: object) =>
    postForm(product.url, { ...wholeForm(), visit, startedAt, ...more }, { path: '/business' })
  await posted({ step: '1', zip: '1' })
  expect((await posted({ step: '3' })).status).toBe(303)
  // A step that is posted before the script has loaded belongs to the tab's visit.
  const early = await postForm(product.url, { ...wholeForm(), step: '0', visit: idOf(9) }, {})
  expect(await early.text()).toContain(`name="visit" value="${idOf(9)}"`)

  const visits = await stored(visit)
  const known = visits.filter(({ id }) => Number.parseInt(String(id), 16) < 1000)
  expect(known.map(({ id }) => Number.parseInt(String(id), 16))).toEqual([1, 2, 3, 4, 9])
  expect(known).toMatchObject([
    { source: 'x'.repeat(500), campaign: 'spring', affiliate: 'partner 7', device: 'phone' },
    { progress: { refused: [], vitals: {} } },
    { source: null, affiliate: null },
    { source: null, affiliate: null },
    {},
  ])
  expect(JSON.stringify(visits)).not.toMatch(/Ada|203\.0\.113|password/)
  const ofFlood = visits.filter(({ id }) => /^0+[345]..$/.test(String(id)))
  expect(ofFlood).toHaveLength(visitsPerNetwork)
  const campaigns = visits.map(({ campaign }) => String(campaign))
  expect(campaigns.filter((name) => name.startsWith('made-'))).toHaveLength(funnelGroupsPerNetwork)
  expect(campaigns.filter((name) => name === 'other')).toHaveLength(20)
  expect(ofFlood[0]).toMatchObject({ id: idOf(1000), progress: { step: 2 } })
  expect(visits.find(({ id }) => id === visit)).toMatchObject({
    area: 'business',
    device: 'none',
    progress: { isStarted: true, step: 4, shown: [1, 1, 1, 1, 1], refused: ['zip format'] },
  })

  // Counted, each visit adds at most one to any count and at most eight rows.
  const store = await openStore(product.store)
  const { db } = store.database
  while ((await store.visits.countEnded(Date.now() + 2 * 3_600_000)) > 0);
  const all = { first: 0, last: Date.now(), filter: {} }
  const counts = await store.funnel.visits(all)
  expect(counts.seen).toBe(visits.length)
  expect(Math.max(...Object.values(counts))).toBe(visits.length)
  const flooded = await store.funnel.visits({ ...all, filter: { source: null, campaign: null } })
  expect(flooded.seen).toBeLessThanOrEqual(visitsPerNetwork + known.length + 1)
  expect(await countRows(db.selectFrom('funnel_counts'))).toBeLessThanOrEqual(8 * visits.length)
  await store.close()
})
