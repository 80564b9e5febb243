import { AdaptiveThrottle } from '#server/jobs/adaptive-throttle.ts'
import { PollingLoop } from '#server/platform/loops/polling-loop.ts'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'

interface Followed {
  readonly changes: number
  readonly mayBeMore: boolean
}

export interface FollowerPorts {
  /** See `LeadIndex`. */
  readonly pace: { readonly least: number; readonly share: number }
  /** Brings so many changes into the index. */
  readonly follow: (take: number) => Promise<Followed>
  /** The store's, which is told seldom. */
  readonly failureLog: LoopFailureLog
}

/** How soon a change is seen, in milliseconds: a look where nothing has changed reads one row. */
const lookEvery = 500

/** Lets the console's lists follow what happens. It may run in several processes: the store lets one at it at a time. */
export function makeLeadIndexFollower({
  pace: { least, share },
  follow,
  failureLog,
}: FollowerPorts): PollingLoop {
  // After a move or an upgrade every lead is a change: whoever enquires meanwhile is not to feel it.
  const pace = new AdaptiveThrottle(least, share)
  return new PollingLoop(
    async () => {
      const begunAt = performance.now()
      const { changes, mayBeMore } = await follow(pace.next(Number.MAX_SAFE_INTEGER))
      const pause = pace.took(performance.now() - begunAt, changes)
      return mayBeMore && changes > 0 ? pause : lookEvery
    },
    { failureLog, againAfter: lookEvery },
  )
}
