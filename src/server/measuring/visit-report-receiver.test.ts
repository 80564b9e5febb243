import pino from 'pino'
import { expect, test, vi } from 'vitest'
import type { Visit } from '#domain/measuring/visit.ts'
import { makeVisitReportReceiver, maxWaitingVisits } from './visit-report-receiver.ts'

const now = 1_764_072_000_000
const head = { header: () => undefined, address: '203.0.113.9' } as never

/** A report of a visit that came to the step. */
const report = (id: number, step = 1) =>
  [
    'business',
    '390',
    '',
    `${id.toString(16).padStart(8, '0')},${now}`,
    `${now + step},e,${step},,0,,`,
  ].join('\n')

function makeReports(save: (visits: readonly Visit[]) => Promise<void>) {
  const always = () => true
  return makeVisitReportReceiver({
    ...{ visits: { save }, allowsVisit: always, allowsGroup: always, clock: () => now },
    log: pino({ enabled: false }),
  })
}

test('while the store takes no writes, reports wait for the next try', async () => {
  vi.useFakeTimers()
  const stored: (readonly Visit[])[] = []
  const reports = makeReports(async (visits) => {
    stored.push(visits)
    if (stored.length === 1) {
      reports.receive(head, report(1, 2), undefined)
      throw new Error('disk full')
    }
  })
  for (let id = 1; id <= maxWaitingVisits + 10; id++) reports.receive(head, report(id), undefined)
  reports.start()
  await vi.advanceTimersByTimeAsync(0)
  await vi.advanceTimersByTimeAsync(2000)
  const [refused, ...kept] = stored
  expect(refused?.[0]?.progress.step).toBe(1)
  expect(kept[0]?.[0]?.progress.step).toBe(2)
  expect(kept.flat()).toHaveLength(maxWaitingVisits)
  expect(Math.max(...kept.map((visits) => visits.length))).toBe(100)
  // Stored reports are not stored again.
  await vi.advanceTimersByTimeAsync(2000)
  await reports.stop()
  expect(stored.slice(1)).toEqual(kept)
  vi.useRealTimers()
})

test('a visit whose values the database refuses does not keep the others from being stored', async () => {
  const stored: string[] = []
  const reports = makeReports(async (visits) => {
    const ids = visits.map(({ id }) => id)
    if (ids.includes('00000003')) throw Object.assign(new Error('refused'), { code: '22021' })
    stored.push(...ids)
  })
  for (let id = 1; id <= 5; id++) reports.receive(head, report(id), undefined)
  await reports.stop()
  expect(stored).toEqual(['00000001', '00000002', '00000004', '00000005'])
})
