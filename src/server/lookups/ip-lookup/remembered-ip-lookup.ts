import type { IpLookup } from '#server/delivery/deliver-leads.ts'
import { remember } from '#server/platform/memory.ts'

/** How long an answer holds, in milliseconds. */
const answerHolds = 10 * 60 * 1000

/** How long a service that did not answer is left alone, in milliseconds: it would hold up every delivery by its time-out. */
const restAfterSilence = 10 * 1000

/** About 100 bytes each. */
const mostAnswers = 10_000

/**
 * Asks once for an address, not once for each attempt.
 * @param clock milliseconds of any origin
 */
export function rememberIpLookup(lookUpIp: IpLookup, clock: () => number): IpLookup {
  let restUntil = Number.NEGATIVE_INFINITY
  const answers = remember(
    async (ip) => {
      const answer = await lookUpIp(ip)
      if (answer === undefined) restUntil = clock() + restAfterSilence
      return answer
    },
    {
      most: mostAnswers,
      holdsMs: answerHolds,
      isKept: (answer) => answer !== undefined,
      clock,
    },
  )
  return (ip) => {
    const isResting = clock() < restUntil
    return isResting ? (answers.known(ip) ?? Promise.resolve(undefined)) : answers.ask(ip)
  }
}
