import { expect, test } from 'vitest'
import { findPercentile, toHistogramBucket } from './funnel.ts'
import { listVisitEvents, mergeVisits, type Visit, type VisitProgress } from './visit.ts'

const progress: VisitProgress = {
  openMs: 60_000,
  isStarted: true,
  step: 1,
  shown: [2, 1],
  visibleMs: [40_000, 9000],
  field: 'zip',
  refused: ['zip format'],
  vitals: { lcp: 1000 },
}

const visit: Visit = {
  id: 'a',
  area: 'business',
  source: null,
  campaign: null,
  affiliate: null,
  device: 'phone',
  program: null,
  progress,
}

test('a visitor who leaves at step 2 raises each count once', () => {
  expect(listVisitEvents(progress)).toEqual([
    'seen',
    'started',
    'reached 1',
    'returned 0',
    `time 0 ${toHistogramBucket(40_000)}`,
    `time 1 ${toHistogramBucket(9000)}`,
    'left 1',
    'field 1 zip',
    'refused zip format',
    `lcp ${toHistogramBucket(1000)}`,
  ])
})

test('a visit counts as left on its last step, unless it reached the thank-you screen', () => {
  const names = (more: Partial<VisitProgress>) => listVisitEvents({ ...progress, ...more })
  expect(names({ shown: [1, 2, 1] })).toEqual(
    expect.arrayContaining(['reached 2', 'returned 1', 'left 1']),
  )
  const sent = names({ step: 4, shown: [1, 1, 1, 1, 1] })
  expect(sent).toContain('reached 4')
  expect(sent.filter((name) => /^(left|field)/.test(name))).toEqual([])
})

test('a field of another step does not count as the last field', () => {
  expect(listVisitEvents({ ...progress, field: 'email' }).join()).not.toContain('field')
})

test('a visit raises few counts, even if its reports name many rules', () => {
  const refused = Array.from({ length: 100 }, (_, index) => `rule ${index}`)
  const counted = listVisitEvents({ ...progress, refused }).filter((event) =>
    event.startsWith('refused'),
  )
  expect(counted).toHaveLength(20)
})

test('reports in any order, repeated or lost, give the same visit', () => {
  const first: Visit = {
    ...visit,
    progress: { ...progress, openMs: 10_000, step: 0, shown: [1], visibleMs: [8000], refused: [] },
  }
  const last: Visit = {
    ...visit,
    program: 7,
    progress: { ...progress, openMs: 90_000, step: 2, shown: [2, 1, 1], refused: ['zip format'] },
  }
  const merged = mergeVisits(mergeVisits(first, visit), last)
  expect(mergeVisits(mergeVisits(last, visit), first)).toEqual(merged)
  expect(mergeVisits(mergeVisits(merged, first), visit)).toEqual(merged)
  expect(merged).toMatchObject({
    program: 7,
    progress: { step: 2, shown: [2, 1, 1, 0, 0], visibleMs: [40_000, 9000, 0, 0, 0] },
  })
})

test('a report of the script counts as newer than a posted form', () => {
  const posted: Visit = { ...visit, device: 'none', progress: { ...progress, openMs: 300_000 } }
  const scripted: Visit = { ...visit, progress: { ...progress, openMs: 500, step: 2 } }
  for (const merged of [mergeVisits(posted, scripted), mergeVisits(scripted, posted)]) {
    expect(merged).toMatchObject({ device: 'phone', progress: { step: 2 } })
  }
})

test('a percentile is at most 9.1% wrong', () => {
  const histogram = new Map<number, number>()
  for (let ms = 100; ms <= 100_000; ms += 100) {
    histogram.set(toHistogramBucket(ms), (histogram.get(toHistogramBucket(ms)) ?? 0) + 1)
  }
  for (const share of [0.5, 0.75, 0.9]) {
    const measured = (findPercentile(histogram, share) ?? 0) / (share * 100_000)
    expect(Math.abs(Math.log2(measured))).toBeLessThanOrEqual(0.125 + 0.01)
  }
  expect(findPercentile(new Map(), 0.5)).toBeUndefined()
})
