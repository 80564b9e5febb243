import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '#tests/patience/until.ts'
import type { HeldJob, JobWork } from '../job-store.ts'
import { JobPace } from './job-pace.ts'
import { JobRunner } from './job-runner.ts'

const running: HeldJob = {
  id: 'a job',
  action: 'retry',
  query: '',
  phase: 'running',
  rate: 100,
  keys: undefined,
  plan: { leads: 0, byStatus: {}, byOutcome: {}, countedUntil: undefined },
  until: 0,
  reached: undefined,
  members: 10_000,
  done: 0,
}

function runnerOf(work: Partial<JobWork>) {
  const met = vi.fn()
  const runner = new JobRunner({
    work: {
      claim: async () => undefined,
      giveBack: async () => undefined,
      tidy: async () => 0,
      ...work,
    } as JobWork,
    finder: { find: () => Promise.reject(new Error('not asked')) },
    clock: Date.now,
    log: pino({ enabled: false }),
    failureLog: { failed: met, succeeded: () => undefined },
  })
  runner.start()
  return { runner, met }
}

test('while the store is away it is asked once a second', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const away = () => Promise.reject(new Error('away'))
  const { runner, met } = runnerOf({ claim: away, tidy: away })
  await vi.advanceTimersByTimeAsync(200)
  expect(met).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(met).toHaveBeenCalledTimes(3)
  await runner.stop()
})

test('what a stopped process held is to be had at once', async () => {
  const giveBack = vi.fn(async () => undefined)
  const act = vi.fn(async () => ({ done: 32, members: 10_000, report: { due: 32 } }))
  const claim = vi.fn<JobWork['claim']>(async (_, held) =>
    held.length === 0 ? running : undefined,
  )
  const { runner } = runnerOf({ claim, act, giveBack })
  await until(() => act.mock.calls.length > 0)
  await runner.stop()
  expect(giveBack).toHaveBeenCalledExactlyOnceWith(claim.mock.calls[0]?.[0].lease)
})

test('a fault of the store passes over no lead, however often it is met', async () => {
  const full = Object.assign(new Error('full'), { errcode: 13 })
  const act = vi.fn<JobWork['act']>(() => Promise.reject(full))
  const { runner, met } = runnerOf({
    claim: async (_, held) => (held.length === 0 ? running : undefined),
    act,
  })
  await until(() => met.mock.calls.length > 0)
  await runner.stop()
  expect(act.mock.calls.filter(([step]) => 'failure' in step)).toEqual([])
})

test('the rate that was asked for is kept to, without gusts', () => {
  const pace = new JobPace()
  const take = pace.next(running)
  expect(take).toBeLessThanOrEqual(running.rate / 2)
  expect(pace.took(1, take, running)).toBeCloseTo((take * 1000) / running.rate - 1)
  expect(pace.next({ ...running, rate: 1 })).toBe(1)
  expect(pace.took(1, 1, { ...running, rate: 1 })).toBeCloseTo(999)
})
