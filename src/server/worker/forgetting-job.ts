import type { LoopTrouble } from '#server/observability/troubles/loop-troubles.ts'
import { RepeatedWork } from './repeated-work.ts'

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
