import { setTimeout } from 'node:timers/promises'
import type { DeliveryQueue } from './delivery-queue.ts'

interface SureReturn {
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Ends the waiting: the leases then end by themselves. */
  readonly signal: AbortSignal
  readonly onNotReturned: (error: unknown) => void
  /** Milliseconds between two tries. */
  readonly pauseMs?: number
}

/** Waits until no lease is left that this process holds without knowing: another would take what it has for sent. */
export async function returnSurely(
  queue: Pick<DeliveryQueue, 'returnLeases'>,
  { clock, signal, onNotReturned, pauseMs = 500 }: SureReturn,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await queue.returnLeases(clock())) return
    } catch (error) {
      onNotReturned(error)
    }
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
