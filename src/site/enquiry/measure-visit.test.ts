import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maxReportBytes, parseVisitReport } from '#contract/visit-report.ts'
import { findSource, parseTouch } from '#domain/lead/attribution.ts'

beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

/** Runs the measuring script in a tab with the given touches, which reports a step. */
async function reportOf(attribution: string | undefined, steps = 1): Promise<string> {
  const listeners = new Map<string, (event: object) => void>()
  const sendBeacon = vi.fn((_url: string, _body: string) => true)
  vi.stubGlobal('document', {
    ...{ hidden: false, body: { dataset: { area: 'business' } } },
    querySelector: () => ({ dataset: { step: '0' } }),
  })
  vi.stubGlobal('sessionStorage', { visit: `1234567890abc,${Date.now()}`, attribution })
  vi.stubGlobal('navigator', { sendBeacon })
  vi.stubGlobal('innerWidth', 390)
  vi.stubGlobal('addEventListener', (type: string, listener: (event: object) => void) =>
    listeners.set(type, listener),
  )
  await import('./measure-visit.ts')
  for (let step = 0; step < steps; step++)
    listeners.get('enquiry:step')?.({ type: 'enquiry:step', target: {} })
  return sendBeacon.mock.lastCall?.[1] ?? ''
}

const touchIn = (report: string) =>
  parseTouch(new URLSearchParams(parseVisitReport(report)?.attribution), true)

const long = 'x'.repeat(1000)

test.each([
  [
    'the last touch’s source and campaign',
    `utm_source=old utm_source=news&utm_medium=m&utm_campaign=a%26b&utm_term=t&utm_content=c&referrer=x.example`,
    { utm_source: 'news', utm_campaign: 'a&b', referrer: 'x.example' },
  ],
  ['the platform of a long click id', `gclid=${long}&ttclid=${long}`, { gclid: 'x', ttclid: 'x' }],
  [
    'a long campaign whole',
    `utm_source=news&utm_campaign=${'x'.repeat(499)}&fbclid=%2F`,
    { utm_source: 'news', utm_campaign: 'x'.repeat(499), fbclid: '%' },
  ],
  [
    'no part of a campaign that is too long for the report',
    `utm_source=news&utm_campaign=${encodeURIComponent('é'.repeat(300))}&click_id=${long}`,
    { utm_source: 'news', click_id: 'x' },
  ],
  [
    'a value like a name',
    'utm_campaign=utm_source-re-gclid',
    { utm_campaign: 'utm_source-re-gclid' },
  ],
  ['a direct visit', '', {}],
  ['a tab without storage', undefined, {}],
])('a report has %s', async (_, attribution, touch) => {
  const report = await reportOf(attribution)
  expect(touchIn(report)).toEqual(touch)
})

test('a report stays below the limit with the longest touch and many events', async () => {
  const [origin, host] = ['x'.repeat(490), 'h'.repeat(253)]
  const ids = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'click_id']
  const query = [
    ...[`utm_source=${origin}`, `utm_campaign=${origin}`, `referrer=${host}`],
    ...ids.map((id) => `${id}=${long}`),
  ].join('&')
  const report = await reportOf(`${query} ${query}`, 500)
  expect(report.length).toBeLessThan(maxReportBytes)
  const { utm_source: _, ...rest } = touchIn(report)
  expect(findSource({ first: {}, last: touchIn(report) })).toBe(origin)
  expect(findSource({ first: {}, last: rest })).toBe('google')
})
