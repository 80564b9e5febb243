import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ExpiredLeadEraser, makeRetentionLoop } from './erase-expired-leads.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const hour = 60 * 60 * 1000
const now = Date.UTC(2026, 10, 21)

/** Makes a retention loop on a store with the given number of expired leads. */
function retentionLoopOn(leads: number) {
  const lines: { msg: string; leads?: number }[] = []
  const found = {
    befores: [] as number[],
    erased: 0,
    /** The number of leads in the last batch. */
    atOnce: 0,
    wipes: 0,
    ended: 0,
    isAway: false,
    /** How long it takes to erase one lead, in milliseconds. */
    eraseMs: 0,
    busyMs: 0,
  }
  const retention: Omit<ExpiredLeadEraser, 'count'> = {
    find: async ({ leadsBefore: before }, after) => {
      if (found.isAway) throw new Error('the store is away')
      if (after === undefined) found.befores.push(before)
      const left = Math.min(leads - found.erased, 500)
      if (left === 0) return { ids: [], end: undefined }
      const ids = Array.from({ length: left }, (_, index) => String(index))
      return { ids, end: { id: '499', receivedAt: now - 40 * 24 * hour } }
    },
    erase: async ({ ids }) => {
      const ms = found.eraseMs * ids.length
      await new Promise((resolve) => setTimeout(resolve, ms))
      found.erased += ids.length
      found.atOnce = ids.length
      found.busyMs += ms
      return { leads: ids.length, consents: 0 }
    },
    wipe: async () => {
      found.wipes++
      return 'wiped'
    },
  }
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  const job = makeRetentionLoop({
    retention,
    days: 30,
    clock: () => now,
    log,
    onEnded: () => found.ended++,
  })
  return { job, found, lines, said: () => lines.map(({ msg, leads }) => [msg, leads]) }
}

/** Stops the loop, which finishes the current batch first. */
async function stopped(job: ReturnType<typeof makeRetentionLoop>): Promise<void> {
  const stopping = job.stop()
  await vi.advanceTimersByTimeAsync(1000)
  await stopping
}

const minuteLater = () => vi.advanceTimersByTimeAsync(60_000)

test('erases at the start, wipes and logs the result, and erases again every day', async () => {
  const { job, found, said } = retentionLoopOn(300)
  job.start()
  await minuteLater()
  expect(found).toMatchObject({ erased: 300, wipes: 1, ended: 1 })
  expect(found.befores[0]).toBe(now - 30 * 24 * hour)
  expect(said()).toEqual([['retention erased the expired leads', 300]])
  await vi.advanceTimersByTimeAsync(22 * hour)
  expect(found.befores).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2 * hour)
  expect(found.befores).toHaveLength(2)
  expect(found).toMatchObject({ wipes: 1, ended: 2 })
  await stopped(job)
})

test('an unreachable store is tried again an hour later', async () => {
  const { job, found, said } = retentionLoopOn(100)
  found.isAway = true
  job.start()
  await minuteLater()
  expect(said()).toEqual([['the retention run failed; trying again in an hour', undefined]])
  expect(found.ended).toBe(0)
  found.isAway = false
  await vi.advanceTimersByTimeAsync(hour)
  expect(found.erased).toBe(100)
  await stopped(job)
})

test.each([0.05, 1, 20])(
  'uses at most a tenth of the store’s time, even if erasing one lead suddenly takes %s ms',
  async (eraseMs) => {
    const { job, found } = retentionLoopOn(100_000)
    job.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(found.atOnce).toBe(64)
    found.eraseMs = eraseMs
    await vi.advanceTimersByTimeAsync(30_000)
    expect(found.busyMs).toBeGreaterThan(1000)
    expect(found.busyMs).toBeLessThan(4000)
    expect(found.atOnce * eraseMs).toBeLessThanOrEqual(Math.max(4, eraseMs))
    await stopped(job)
  },
)

test('stops after the current batch', async () => {
  const { job, found } = retentionLoopOn(1_000_000)
  job.start()
  await vi.advanceTimersByTimeAsync(150_000)
  const { erased } = found
  expect(erased).toBeGreaterThan(0)
  await stopped(job)
  await vi.advanceTimersByTimeAsync(48 * hour)
  expect(found.erased).toBeLessThanOrEqual(erased + 64)
  expect(found, 'it has not come to its end').toMatchObject({ wipes: 0, ended: 0 })
})
