import type { CountedAttempt, DeliveryRollups } from '#server/delivery/delivery-rollups.ts'

/** The latest attempts, where all of them failed. */
export interface FailingRun {
  readonly attempts: number
  /** When the first of them began, in epoch milliseconds. */
  readonly since: number
}

/** Ten different leads trip the breaker, which the overview tells by itself. */
const mostLookedAt = 100

const isAnswer = ({ outcome }: Pick<CountedAttempt, 'outcome'>): boolean =>
  outcome === 'delivered' || outcome === 'rejected'

/** How many attempts have failed since the distributor last answered; undefined where the latest was answered. */
export async function readFailingRun(
  rollups: Pick<DeliveryRollups, 'latest'>,
): Promise<FailingRun | undefined> {
  const made = (await rollups.latest(mostLookedAt)).filter(({ outcome }) => outcome !== 'not-made')
  const answered = made.findIndex(isAnswer)
  const failed = answered === -1 ? made : made.slice(0, answered)
  const first = failed.at(-1)
  return first && { attempts: failed.length, since: first.startedAt }
}
