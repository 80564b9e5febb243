import { describe, expect, test } from 'vitest'
import { type Job, parseRate, progressOf } from './job.ts'
import { addCounts, describeReport } from './member-outcome.ts'

const running = {
  phase: 'running',
  pausedAt: null,
  runningSince: 1_000_000,
  runningFrom: 1000,
  done: 2000,
  members: 5000,
} as Job

describe('progress', () => {
  test('is measured since the job last began to run', () => {
    expect(progressOf(running, 1_010_000)).toEqual({ share: 0.4, speed: 100, msLeft: 30_000 })
  })
  test.each([
    ['in the first two seconds', { ...running }, 1_001_000],
    ['while it is paused', { ...running, pausedAt: 1 }, 1_010_000],
    ['while nothing moves', { ...running, done: 1000 }, 1_010_000],
    ['before it runs', { ...running, phase: 'gathering' as const }, 1_010_000],
  ])('is not known %s', (_, job, now) => {
    expect(progressOf(job, now)).toMatchObject({ speed: undefined, msLeft: undefined })
  })
})

test('a report adds up the outcomes of each verdict', () => {
  const report = addCounts({ due: 2, overtaken: 1 }, { due: 3, failed: 4, erased: 5 })
  expect(report).toEqual({ due: 5, overtaken: 1, failed: 4, erased: 5 })
  expect(describeReport(report)).toBe('5 done, 6 skipped, 4 failed')
  expect(describeReport({})).toBe('0 done')
})

test.each([
  ['200', 200],
  [' 1 ', 1],
  ['1000', 1000],
  ['0', undefined],
  ['1001', undefined],
  ['-5', undefined],
  ['2.5', undefined],
  ['many', undefined],
  ['', undefined],
])('the rate “%s”', (text, rate) => {
  expect(parseRate(text)).toBe(rate)
})
