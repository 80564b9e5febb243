import { errorInWords } from '#domain/delivery/error-in-words.ts'
import type { OutcomeName } from '#domain/delivery/outcome.ts'
import type { ShownAttempt } from '../shown-lead.ts'

const outcomes: Readonly<Record<OutcomeName, string>> = {
  delivered: 'the distributor took it',
  rejected: 'the distributor rejected it',
  busy: 'the distributor asked to come back',
  broken: 'the distributor’s answer was not understood',
  refused: 'the distributor refused us or this lead',
  unreachable: 'the distributor could not be reached: nothing was sent',
  unknown: 'no whole answer came: the distributor may have it',
  'not-made': 'nothing was sent',
}

export const outcomeInWords = ({ outcome, httpStatus }: ShownAttempt): string =>
  outcome === 'broken' && httpStatus !== null && httpStatus >= 500
    ? 'the distributor failed'
    : outcomes[outcome]

/** `HTTP 503`, `no connection (ECONNREFUSED)`: why, in as few words as a line can spare. */
export function whyInWords({ httpStatus, reason, code }: ShownAttempt): string {
  const why = reason === null ? '' : errorInWords(reason)
  const named = code === null ? why : `${why} (${code})`
  return [httpStatus === null ? '' : `HTTP ${httpStatus}`, named]
    .filter((part) => part !== '')
    .join(', ')
}
