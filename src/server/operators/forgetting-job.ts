import { RepeatedWork } from '#server/platform/loops/repeated-work.ts'
import type { LoopTrouble } from '#server/platform/observability/troubles/loop-troubles.ts'

const hourMs = 60 * 60 * 1000

export interface ForgettingPorts {
  readonly forget: () => Promise<void>
  readonly trouble: LoopTrouble
}

/** What is left of sign-ins goes an hour after it is over, also where nobody signs in any more. */
export const makeForgettingJob = ({ forget, trouble }: ForgettingPorts): RepeatedWork =>
  new RepeatedWork(
    async () => {
      await forget()
      return hourMs
    },
    { trouble, againAfter: hourMs },
  )
