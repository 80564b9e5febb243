import { RepeatedWork } from '#server/platform/loops/repeated-work.ts'
import type { LoopTrouble } from '#server/platform/observability/troubles/loop-troubles.ts'

export interface RollupPorts {
  /** Counts the next five minutes; false where none are over. `rest` is waited for between two readings. */
  readonly rollUpNext: (rest: (tookMs: number) => Promise<void>) => Promise<boolean>
  /** The store's, which is told seldom. */
  readonly trouble: LoopTrouble
}

/** How soon five minutes that are over are counted, in milliseconds. */
const lookEvery = 15_000

/** What is being caught up on leaves the store to others for nine tenths of the time, as retention does. */
const restTimes = 9
const leastRestMs = 25

/** Counts what came of deliveries for the console's charts. In several processes they may do it twice. */
export function makeDeliveryRollupJob({ rollUpNext, trouble }: RollupPorts): RepeatedWork {
  const job: RepeatedWork = new RepeatedWork(
    async () => {
      const begunAt = performance.now()
      const isCounted = await rollUpNext((tookMs) => job.pause(restAfter(tookMs)))
      return isCounted ? restAfter(performance.now() - begunAt) : lookEvery
    },
    { trouble, againAfter: lookEvery },
  )
  return job
}

const restAfter = (tookMs: number): number => Math.max(leastRestMs, tookMs * restTimes)
