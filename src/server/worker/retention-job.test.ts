import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LeadRetention } from '../use-cases/retain-leads.ts'
import { RetentionJob } from './retention-job.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const hour = 60 * 60 * 1000
const now = Date.UTC(2026, 10, 21)

/** A job on a store with that many batches of leads over their time. */
function jobOn(batches: number) {
  const lines: { msg: string; leads?: number }[] = []
  const found = { befores: [] as number[], erased: 0, wipes: 0, ended: 0, isAway: false }
  let left = batches
  const retention: LeadRetention = {
    count: () => Promise.reject(new Error('not asked')),
    eraseLeads: async ({ before, limit }) => {
      if (found.isAway) throw new Error('the store is away')
      found.befores.push(before)
      if (left === 0) return { count: 0, end: undefined }
      left--
      found.erased += limit
      return { count: limit, end: { id: String(left), receivedAt: 0 } }
    },
    removeConsents: async () => ({ count: 0, end: undefined }),
    wipe: async () => {
      found.wipes++
      return 'wiped'
    },
  }
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  const job = new RetentionJob(
    { retention, clock: () => now, log, onEnded: () => found.ended++ },
    30,
  )
  return { job, found, said: () => lines.map(({ msg, leads }) => [msg, leads]) }
}

const minuteLater = () => vi.advanceTimersByTimeAsync(60_000)

test('begins at the start, ends with a wipe and one line, and comes again every day', async () => {
  const { job, found, said } = jobOn(3)
  job.start()
  await minuteLater()
  expect(found).toMatchObject({ erased: 300, wipes: 1, ended: 1 })
  expect(found.befores[0]).toBe(now - 30 * 24 * hour)
  expect(said()).toEqual([['retention has erased what was over its time', 300]])
  const asked = found.befores.length
  await vi.advanceTimersByTimeAsync(23 * hour)
  expect(found.befores).toHaveLength(asked)
  await vi.advanceTimersByTimeAsync(hour)
  expect(found.befores).toHaveLength(asked + 1)
  expect(found).toMatchObject({ wipes: 1, ended: 2 })
  await job.stop()
})

test('a store that is away is asked again in an hour', async () => {
  const { job, found, said } = jobOn(1)
  found.isAway = true
  job.start()
  await minuteLater()
  expect(said()).toEqual([['retention did not end; trying again in an hour', undefined]])
  expect(found.ended).toBe(0)
  found.isAway = false
  await vi.advanceTimersByTimeAsync(hour)
  expect(found.erased).toBe(100)
  await job.stop()
})

test('leaves the store to others between batches, and stops after the one under way', async () => {
  const { job, found } = jobOn(1000)
  job.start()
  await vi.advanceTimersByTimeAsync(1000)
  expect(found.erased).toBeLessThanOrEqual(2100)
  const erased = found.erased
  await job.stop()
  await vi.advanceTimersByTimeAsync(48 * hour)
  expect(found.erased).toBeLessThanOrEqual(erased + 100)
  expect(found.ended, 'it has not come to its end').toBe(0)
})
