import { expect, test } from 'vitest'
import { parseVisitReport } from './visit-report.ts'

const id = '1234567890abc'
const attribution = 'utm_source=news utm_campaign=spring%2C+sale'
const noon = 1_764_072_000_000

/** A report with the given notes, each so many seconds after noon. */
const report = (...notes: readonly (readonly [seconds: number, rest: string])[]) =>
  [
    ...['business', '390', attribution, `${id},${timeAfter(0)}`],
    ...notes.map(([seconds, rest]) => `${timeAfter(seconds)},${rest}`),
  ].join('\n')

const timeAfter = (seconds: number) => noon + seconds * 1000

const visit = report(
  [0, ',0,,0,,'],
  [2, 'f,0,,0,firstName,'],
  [3, 'i,0,,0,firstName,'],
  [4, 'e,0,,0,,LCP,1234.5'],
  [5, 'e,0,,0,,CLS,0.0215'],
  [10, 'e,0,,0,,email format,zip missing'],
  [20, 'e,1,,0,,'],
  [25, 'v,1,,1,,'],
  [85, 'v,1,,0,,'],
  [90, 'e,0,,0,,'],
  [91, 'e,1,,0,,'],
  [92, 'f,1,15,0,zip,'],
  [95, 'v,1,,1,,'],
)

test('a report tells how far a visit came, how long each step took and which answers were refused', () => {
  expect(parseVisitReport(visit)).toEqual({
    ...{ id, area: 'business', device: 'phone', program: 15, attribution },
    progress: {
      ...{ openMs: 95_000, isStarted: true, step: 1, field: 'zip' },
      // A minute in another tab doesn't count.
      ...{ shown: [2, 2, 0, 0, 0], visibleMs: [21_000, 14_000, 0, 0, 0] },
      refused: ['email format', 'zip missing'],
      vitals: { lcp: 1235, cls: 22 },
    },
  })
})

test('a reload shows a step again, but does not count it again', () => {
  const reloaded = parseVisitReport(report([0, ',0,,0,,'], [5, 'v,0,,1,,'], [9, ',0,,0,,']))
  expect(reloaded?.progress).toMatchObject({
    shown: [1, 0, 0, 0, 0],
    visibleMs: [5000, 0, 0, 0, 0],
  })
})

test('a report without its oldest notes adds nothing to the times of their steps', () => {
  const cut = report([60, 'f,1,,0,zip,'], [70, 'v,1,,1,,'])
  expect(parseVisitReport(cut)?.progress).toMatchObject({
    openMs: 70_000,
    step: 1,
    visibleMs: [0, 10_000, 0, 0, 0],
  })
})

test('malformed notes are dropped, and never kept as text', () => {
  const odd = report(
    [0, ',0,,0,,'],
    [1, 'f,0,secret,0,secret,0'],
    [2, 'e,0,,0,,secret format,email secret'],
    [3, 'e,0,,0,,LCP,-1'],
    [4, 'e,0,,0,,constructor,1'],
    [5, 'e,7,,0,,'],
    [6, 'secret'],
    [6.0005, 'i,1,,0,zip,0'],
  )
  const read = parseVisitReport(odd)
  expect(JSON.stringify(read)).not.toContain('secret')
  expect(read).toMatchObject({ program: null, progress: { step: 0, refused: [], vitals: {} } })
})

test.each([
  ['nothing', ''],
  ['JSON', '{"id":"1"}'],
  ['no note', report()],
  ['an unknown area', visit.replace('business', 'arts')],
  ['an id with a text', visit.replace(id, 'ada@example.edu')],
  ['a visit of more than a day', report([0, ',0,,0,,'], [86_401, 'v,0,,1,,'])],
  ['a begin within a millisecond', visit.replace(`${noon}`, `${noon}.5`)],
  ['a clock that was set back', report([-9, 'v,0,,1,,'])],
  ['a visit that begins on the thank-you screen', report([0, ',4,,0,,'])],
])('%s is no report', (_, body) => {
  expect(parseVisitReport(body)).toBeUndefined()
})

test('a report from a tab of 0.3.0 names its fields as today', () => {
  const former = report(
    [1, 'i,2,,0,previousEducation,'],
    [2, 'e,2,,0,,previousEducation missing'],
    [3, 'f,3,,0,desiredProgram,'],
  )
  expect(parseVisitReport(former)?.progress).toMatchObject({
    field: 'programId',
    refused: ['educationLevel missing'],
  })
})
