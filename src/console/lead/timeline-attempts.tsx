import { describeError, hiddenResponse } from '#domain/delivery/describe-outcome.ts'
import type { AttemptRecord, OutcomeName } from '#domain/delivery/outcome.ts'
import { LeadsCommand } from '../shell/console-page.tsx'
import { formatDuration } from '../shell/times.tsx'
import type { TimelineEvent } from './timeline.tsx'

/** For a lead tried for weeks, the first and the last attempts are enough. */
const shownFirst = 5
const shownLast = 45

/** Waits shorter than that are the machine's own. */
const shortWait = 1000

const wasSent = ({ outcome }: AttemptRecord) => outcome !== 'not-made' && outcome !== 'unreachable'

const kindOf = (outcome: OutcomeName): TimelineEvent['kind'] =>
  outcome === 'delivered' ? 'well' : 'problem'

interface Tried {
  readonly attempts: readonly AttemptRecord[]
  /** When it was reopened after its end: the next attempt's wait starts then. */
  readonly owedAgainAt: readonly number[]
  readonly hasBody: boolean
}

/** Each attempt, what was sent and what came back, with the wait before it and why. */
export function attemptEvents({ attempts, owedAgainAt, hasBody }: Tried): readonly TimelineEvent[] {
  const left = attempts.length - shownFirst - shownLast
  return attempts.flatMap((attempt, index) => {
    if (left > 0 && index >= shownFirst && index < shownFirst + left) {
      return index === shownFirst ? [leftOut(attempt, left)] : []
    }
    return [...waitBetween(attempts[index - 1], attempt, owedAgainAt), eventOf(attempt, hasBody)]
  })
}

const leftOut = ({ startedAt }: AttemptRecord, left: number): TimelineEvent => ({
  key: 'left out',
  at: startedAt,
  kind: 'note',
  what: `${left.toLocaleString('en-US')} more attempts`,
  more: (
    <p>
      To see all: <LeadsCommand verb="show" />.
    </p>
  ),
})

const eventOf = (attempt: AttemptRecord, hasBody: boolean): TimelineEvent => ({
  key: `attempt ${attempt.number}`,
  at: attempt.startedAt,
  kind: kindOf(attempt.outcome),
  what: `Attempt ${attempt.number}: ${describeOutcome(attempt)}`,
  more: (
    <dl>
      {wasSent(attempt) && (
        <>
          <dt>Sent</dt>
          <dd>{hasBody ? <a href="#sent">the request</a> : 'the lead'}</dd>
        </>
      )}
      <dt>Response</dt>
      <dd>
        {describeCause(attempt) || 'none'}, after {formatDuration(attempt.durationMs)}
        {attempt.retryAfterMs !== null &&
          `; it asked to wait ${formatDuration(attempt.retryAfterMs)}`}
      </dd>
      {attempt.said !== null && attempt.said !== '' && (
        <>
          <dt>Message</dt>
          <dd>
            <DistributorWords words={attempt.said} />
          </dd>
        </>
      )}
    </dl>
  ),
})

/** Its schedule's: none lies between an end and the retry that somebody asked for. */
function waitBetween(
  before: AttemptRecord | undefined,
  attempt: AttemptRecord,
  owedAgainAt: readonly number[],
): readonly TimelineEvent[] {
  if (before === undefined || before.outcome === 'rejected') return []
  const begins = before.startedAt + before.durationMs
  const waited = attempt.startedAt - begins
  const wasAskedFor = owedAgainAt.some((at) => at >= begins && at <= attempt.startedAt)
  if (waited < shortWait || wasAskedFor) return []
  return [
    {
      key: `wait ${attempt.number}`,
      at: begins,
      kind: 'wait',
      what: `Retried after ${formatDuration(waited)}: ${describeCause(before) || describeOutcome(before)}`,
    },
  ]
}

const outcomes: Readonly<Record<OutcomeName, string>> = {
  delivered: 'accepted',
  rejected: 'rejected',
  busy: 'the distributor asked to try again later',
  broken: 'the distributor’s response was not understood',
  refused: 'the distributor refused us or this lead',
  unreachable: 'no connection to the distributor; nothing was sent',
  unknown: 'no complete response; the distributor may have the lead',
  'not-made': 'nothing was sent',
}

export const describeOutcome = ({ outcome, httpStatus }: AttemptRecord): string =>
  outcome === 'broken' && httpStatus !== null && httpStatus >= 500
    ? 'the distributor had an error'
    : outcomes[outcome]

/** `HTTP 503`, `no connection (ECONNREFUSED)`: why, in as few words as a line can spare. */
export function describeCause({ httpStatus, reason, code }: AttemptRecord): string {
  const why = reason === null ? '' : describeError(reason)
  const named = code === null ? why : `${why} (${code})`
  return [httpStatus === null ? '' : `HTTP ${httpStatus}`, named]
    .filter((part) => part !== '')
    .join(', ')
}

/** Quotes what the distributor wrote; that it is hidden is not a quotation. */
export const DistributorWords = ({ words }: { words: string }) =>
  words === hiddenResponse ? words : <q>{words}</q>
