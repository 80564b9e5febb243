import { PollingLoop } from '#server/platform/loops/polling-loop.ts'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'

const hourMs = 60 * 60 * 1000

export interface ForgettingPorts {
  readonly forget: () => Promise<void>
  readonly failureLog: LoopFailureLog
}

/** What is left of sign-ins goes an hour after it is over, also where nobody signs in any more. */
export const makeForgettingJob = ({ forget, failureLog }: ForgettingPorts): PollingLoop =>
  new PollingLoop(
    async () => {
      await forget()
      return hourMs
    },
    { failureLog, againAfter: hourMs },
  )
