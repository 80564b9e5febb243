import type { IpLookup } from '../use-cases/deliver-leads.ts'

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
  const answers = new Map<string, { readonly answer: Promise<string | undefined>; at: number }>()
  let restUntil = Number.NEGATIVE_INFINITY

  const ask = async (ip: string): Promise<string | undefined> => {
    const answer = await lookUpIp(ip)
    if (answer === undefined) {
      answers.delete(ip)
      restUntil = clock() + restAfterSilence
    }
    return answer
  }

  return (ip) => {
    const now = clock()
    const known = answers.get(ip)
    if (known !== undefined && now - known.at < answerHolds) return known.answer
    if (now < restUntil) return Promise.resolve(undefined)
    if (answers.size >= mostAnswers) answers.clear()
    const answer = ask(ip)
    answers.set(ip, { answer, at: now })
    return answer
  }
}
