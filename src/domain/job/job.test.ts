import { describe, expect, test } from 'vitest'
import { addCounts, verdictCounts } from './counts.ts'
import type { Job } from './job.ts'
import { progressOf } from './progress.ts'
import { readRate } from './rate.ts'
import { reportInWords } from './report-in-words.ts'

const running = {
  phase: 'running',
  pausedAt: null,
  runningSince: 1_000_000,
  runningFrom: 1000,
  done: 2000,
  members: 5000,
} as Job

describe('progress', () => {
  test('goes by how it went since it last began to run', () => {
    expect(progressOf(running, 1_010_000)).toEqual({ share: 0.4, speed: 100, msLeft: 30_000 })
  })
  test.each([
    ['at first', { ...running }, 1_001_000],
    ['while it is paused', { ...running, pausedAt: 1 }, 1_010_000],
    ['while nothing moves', { ...running, done: 1000 }, 1_010_000],
    ['before it runs', { ...running, phase: 'gathering' as const }, 1_010_000],
  ])('promises nothing %s', (_, job, now) => {
    expect(progressOf(job, now)).toMatchObject({ speed: undefined, msLeft: undefined })
  })
})

test('counts add up, each outcome under one verdict', () => {
  const report = addCounts({ due: 2, overtaken: 1 }, { due: 3, failed: 4, erased: 5 })
  expect(report).toEqual({ due: 5, overtaken: 1, failed: 4, erased: 5 })
  expect(verdictCounts(report)).toEqual({ done: 5, skipped: 6, failed: 4 })
  expect(reportInWords(report)).toBe('5 done, 6 skipped, 4 failed')
  expect(reportInWords({})).toBe('0 done')
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
  expect(readRate(text)).toBe(rate)
})
