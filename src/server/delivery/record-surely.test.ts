import { expect, it } from 'vitest'
import type { RecordedAttempt } from './delivery-queue.ts'
import { recordSurely } from './record-surely.ts'

const attempt: RecordedAttempt = {
  id: 'attempt-1',
  deliveryId: 'delivery-1',
  lease: 'lease-1',
  startedAt: 0,
  durationMs: 1,
  outcome: { name: 'delivered', httpStatus: 200 },
  next: { settledAs: 'delivered', at: 1 },
}

/** Records on a store that fails the first `faults` times. */
async function recordOnto(faults: number, signal: AbortSignal, onFault: () => void) {
  const tried: RecordedAttempt[] = []
  const record = async (given: RecordedAttempt) => {
    tried.push(given)
    if (tried.length <= faults) throw new Error('the disk is full')
    return true
  }
  const order = { attempt, signal, onNotRecorded: onFault, pauseMs: 1 }
  return { result: await recordSurely({ record }, order).catch(String), tried }
}

it('tries until the store is well again, with the same attempt, and complains each time', async () => {
  let complaints = 0
  const { tried, result } = await recordOnto(3, new AbortController().signal, () => complaints++)
  expect(result).toBe(true)
  expect(tried).toEqual([attempt, attempt, attempt, attempt])
  expect(complaints).toBe(3)
})

it('gives up where the waiting is ended', async () => {
  const ending = new AbortController()
  const { result } = await recordOnto(Number.POSITIVE_INFINITY, ending.signal, () => ending.abort())
  expect(result).toBe('Error: the disk is full')
})
