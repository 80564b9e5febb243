import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'

export interface RollupPorts {
  /** Counts the next five minutes; false where none are over. `rest` is waited for between two readings. */
  readonly rollUpNext: (rest: (tookMs: number) => Promise<void>) => Promise<boolean>
  /** The store's, which is told seldom. */
  readonly failureLog: LoopFailureLog
}

/** How soon five minutes that are over are counted, in milliseconds. */
const lookEvery = 15_000

/** What is being caught up on leaves the store to others for nine tenths of the time, as retention does. */
const restTimes = 9
const leastRestMs = 25

/** Counts what came of deliveries for the console's charts. In several processes they may do it twice. */
export function makeDeliveryRollupJob({ rollUpNext, failureLog }: RollupPorts): PollingLoop {
  const job: PollingLoop = new PollingLoop(
    async () => {
      const begunAt = performance.now()
      const isCounted = await rollUpNext((tookMs) => job.pause(restAfter(tookMs)))
      return isCounted ? restAfter(performance.now() - begunAt) : lookEvery
    },
    { failureLog, againAfter: lookEvery },
  )
  return job
}

const restAfter = (tookMs: number): number => Math.max(leastRestMs, tookMs * restTimes)
