import { setTimeout } from 'node:timers/promises'
import type { DeliveryQueue, RecordedAttempt } from './delivery-queue.ts'

interface SureRecord {
  readonly attempt: RecordedAttempt
  /** Ends the waiting: then it rejects with what the store said last. */
  readonly signal: AbortSignal
  /** Called for each try that fails. */
  readonly onNotRecorded: (error: unknown) => void
  /** Milliseconds between two tries. */
  readonly pauseMs?: number
}

/**
 * Records an attempt however long the store is away. Giving up would make an answer unknown, and a lead that the
 * distributor has taken would be sent again.
 */
export async function recordSurely(
  queue: Pick<DeliveryQueue, 'record'>,
  { attempt, signal, onNotRecorded, pauseMs = 1000 }: SureRecord,
): Promise<boolean> {
  for (;;) {
    try {
      return await queue.record(attempt)
    } catch (error) {
      onNotRecorded(error)
      if (signal.aborted) throw error
      // It rejects where it is cut short: the next try is then the last.
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
