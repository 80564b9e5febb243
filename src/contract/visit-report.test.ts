import { expect, test } from 'vitest'
import { parseVisitReport } from './visit-report.ts'

const id = '12-34-56-78'
const attribution = 'utm_source=news utm_campaign=spring%2C+sale'
const noon = 1_764_072_000_000

/** A report with the given notes, each so many seconds after noon. */
const report = (...notes: readonly (readonly [seconds: number, rest: string])[]) =>
  [
    ...['business', '390', attribution, id],
    ...notes.map(([seconds, rest]) => `${noon + seconds * 1000},${rest}`),
  ].join('\n')

const visit = report(
  [0, ',0,,false,,'],
  [2, 'focusin,0,,false,firstName,0'],
  [3, 'input,0,,false,firstName,0'],
  [4, 'enquiry:vital,0,,false,,LCP,1234.5'],
  [5, 'enquiry:vital,0,,false,,CLS,0.0215'],
  [10, 'enquiry:refused,0,,false,,email format,zip missing'],
  [20, 'enquiry:step,1,,false,,[object Object]'],
  [25, 'visibilitychange,1,,true,,'],
  [85, 'visibilitychange,1,,false,,'],
  [90, 'enquiry:step,0,,false,,[object Object]'],
  [91, 'enquiry:step,1,,false,,[object Object]'],
  [92, 'focusin,1,15,false,zip,0'],
  [95, 'visibilitychange,1,,true,,'],
)

test('a report tells how far a visit came, where it took how long and what was refused', () => {
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
  const reloaded = parseVisitReport(
    report([0, ',0,,false,,'], [5, 'visibilitychange,0,,true,,'], [9, ',0,,false,,']),
  )
  expect(reloaded?.progress).toMatchObject({
    shown: [1, 0, 0, 0, 0],
    visibleMs: [5000, 0, 0, 0, 0],
  })
})

test('what is malformed is left out, and never kept as text', () => {
  const odd = report(
    [0, ',0,,false,,'],
    [1, 'focusin,0,secret,false,secret,0'],
    [2, 'enquiry:refused,0,,false,,secret format,email secret'],
    [3, 'enquiry:vital,0,,false,,LCP,-1'],
    [4, 'enquiry:vital,0,,false,,constructor,1'],
    [5, 'enquiry:step,7,,false,,'],
    [6, 'secret'],
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
  ['a visit of more than a day', report([0, ',0,,false,,'], [86_401, ',0,,true,,'])],
  ['a clock that was set back', report([9, ',0,,false,,'], [0, ',0,,true,,'])],
  ['a visit that begins on the thank-you screen', report([0, ',4,,false,,'])],
])('%s is no report', (_, body) => {
  expect(parseVisitReport(body)).toBeUndefined()
})
