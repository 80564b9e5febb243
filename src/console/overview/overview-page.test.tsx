import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { OverviewData } from '#server/alerts/overview-reader.ts'
import { answered, healthyOverview } from '#tests/console/healthy-overview.ts'
import { AssertedFields, StatusSummary } from './overview-page.tsx'

const well: OverviewData = { ...healthyOverview, answers: answered(1840, 160) }

const summaryText = (data: Partial<OverviewData>) =>
  renderToStaticMarkup(<StatusSummary data={{ ...well, ...data }} now={0} />)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

test('says that deliveries run, and compares the day’s rejections with the usual share', () => {
  expect(summaryText({})).toContain('Deliveries are running')
  expect(summaryText({})).toContain(
    'the distributor accepted 1,840 leads and rejected 160 (8%; 4% in the seven days before)',
  )
  expect(summaryText({})).toContain('No lead is quarantined')
})

const none = { delivered: 0, rejected: 0 }

test.each<[string, OverviewData['answers'], string]>([
  [
    'nothing was sent',
    { lastDay: none, before: none },
    'The distributor neither accepted nor rejected any lead in the last 24 hours.',
  ],
  [
    'none was rejected',
    { lastDay: { delivered: 1, rejected: 0 }, before: none },
    'accepted 1 lead and rejected 0 (0%).',
  ],
  [
    'none was rejected, unlike in the days before',
    { lastDay: { delivered: 9, rejected: 0 }, before: { delivered: 999, rejected: 1 } },
    'rejected 0 (0%; 0.1% in the seven days before).',
  ],
  ['the first day', { lastDay: { delivered: 9, rejected: 1 }, before: none }, 'rejected 1 (10%).'],
  [
    'a store that began within the eight days',
    {
      lastDay: { delivered: 9, rejected: 1 },
      before: undefined,
      firstAt: Date.UTC(2026, 10, 20, 23),
    },
    'rejected 1 (10%; no comparison: the first lead is from Nov 20, 2026).',
  ],
])('%s', (_, answers, words) => {
  expect(summaryText({ answers })).toContain(words)
})

test('reports leads in quarantine at once, whether or not deliveries run', () => {
  const quarantined = { count: 3, since: 0 }
  for (const data of [{ quarantined }, { quarantined, unreadable: 1 }]) {
    expect(summaryText(data)).toContain('3 leads wait in quarantine')
    expect(summaryText(data)).not.toContain('No lead is quarantined')
  }
  expect(summaryText({ quarantined })).toContain('Deliveries are running')
  expect(summaryText({ unreadable: 1 })).not.toContain('Deliveries are running')
})

test('counts the leads that wait while deliveries run', () => {
  expect(summaryText({})).not.toContain('next attempt')
  expect(summaryText({ pending: 1 })).toContain('1 lead waits for the next attempt.')
  expect(summaryText({ pending: 12 })).toContain('12 leads wait for the next attempt.')
  const held = [
    { count: 1, until: 'until 8:00 AM' },
    { count: 3, until: 'until tomorrow' },
  ]
  const text = summaryText({ pending: 6, held })
  expect(text).toContain('2 leads wait for the next attempt.')
  expect(text).toContain(
    '1 lead is held by a cap until 8:00 AM. 3 leads are held by a cap until tomorrow.',
  )
  expect(summaryText({ pending: 4, held })).not.toContain('next attempt')
})

test('names the fields of a lead that assert what nobody was asked', () => {
  const shown = (covers: readonly string[]) =>
    renderToStaticMarkup(<AssertedFields covers={covers} />).replace(/<[^>]*>/g, ' ')
  expect(shown(['email'])).toMatch(/8 fields of each lead: asserted, not asked\s+tcpa_consent/)
  expect(shown(['email', 'phone'])).not.toContain('tcpa_consent')
})
