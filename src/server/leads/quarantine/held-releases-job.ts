import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'

export interface HeldReleasesPorts {
  /** @returns how many */
  readonly releaseDue: () => Promise<number>
  /** Something is due now. */
  readonly onReleased: () => void
  /** The store's failures, which are logged seldom. */
  readonly failureLog: LoopFailureLog
}

/** Where nothing is held a look reads an empty table. In milliseconds. */
const lookEvery = 1000

/**
 * Releases what an operator wanted released and can no longer undo. It runs in every console and
 * worker, so that none of them has to last.
 */
export const makeHeldReleasesJob = ({ releaseDue, onReleased, failureLog }: HeldReleasesPorts) =>
  new PollingLoop(
    async () => {
      if ((await releaseDue()) > 0) onReleased()
      return lookEvery
    },
    { failureLog, againAfter: lookEvery },
  )
