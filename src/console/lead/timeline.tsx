import type { ReactNode } from 'react'
import { describeSignal } from '#domain/abuse/signals.ts'
import { describeError, hiddenResponse } from '#domain/delivery/describe-outcome.ts'
import type { AttemptRecord, OutcomeName } from '#domain/delivery/outcome.ts'
import { describeRecordedOutcome } from '#domain/job/member-outcome.ts'
import type { LeadAct, LeadJobAct, LeadView, ShownDetails } from '#domain/lead/lead-details.ts'
import { LeadsCommand } from '../shell/console-page.tsx'
import { type Fact, Facts } from '../shell/facts.tsx'
import { LeadLink } from '../shell/lead-link.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'
import styles from './timeline.module.css'

/** An event in the lead's history. An event of kind `wait` is the time between two others. */
interface TimelineEvent {
  /** When it happened, in epoch milliseconds. */
  readonly at: number
  readonly kind: 'well' | 'note' | 'problem' | 'wait'
  readonly what: string
  readonly more?: ReactNode
}

/** Lists what happened to the lead, oldest event first. */
export const Timeline = ({ view }: { view: LeadView }) => (
  <ol className={styles.timeline} aria-label="Timeline">
    {timelineOf(view).map(({ at, kind, what, more }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes in place
      <li key={index} className={styles[kind]}>
        <p className={styles.what}>{what}</p>
        {kind !== 'wait' && (
          <p className={styles.at}>
            <Moment at={at} hasSeconds />
          </p>
        )}
        {more}
      </li>
    ))}
  </ol>
)

function timelineOf({ record, acts, jobActs, sent }: LeadView): TimelineEvent[] {
  const { delivery } = record
  return [
    ...arrivalEvents(record),
    ...attemptEvents(delivery?.attempts ?? [], sent !== undefined),
    ...deliveryEvents(record),
    ...acts.map(actEvent),
    ...jobActs.map(jobEvent),
    // The sort is stable: events of the same moment stay in the order of this list.
  ].toSorted((one, other) => one.at - other.at)
}

/** Lists the events from the opening of the form to the release from quarantine. */
function arrivalEvents(record: ShownDetails): TimelineEvent[] {
  const { lead, quarantinedAt, releasedAt } = record
  const openedAt = 'openedAt' in lead ? lead.openedAt : null
  const events: TimelineEvent[] = []
  if (openedAt !== null) {
    const openFor = formatDuration(lead.receivedAt - openedAt)
    const more = <p>{openFor} before the enquiry was sent, according to the browser.</p>
    events.push({ at: openedAt, kind: 'note', what: `Page opened: ${lead.area}`, more })
  }
  events.push({
    at: lead.receivedAt,
    kind: 'note',
    what: `Received from the ${lead.area} page`,
    more: <Arrival record={record} isOpeningKnown={openedAt !== null} />,
  })
  if (quarantinedAt !== null) {
    const what = 'Quarantined until an operator releases it'
    events.push({ at: quarantinedAt, kind: 'problem', what })
  }
  if (releasedAt !== null) {
    events.push({ at: releasedAt, kind: 'note', what: 'Released from quarantine' })
  }
  return events
}

function Arrival({ record, isOpeningKnown }: { record: ShownDetails; isOpeningKnown: boolean }) {
  const { lead, corrects, duplicateOf, signals } = record
  return (
    <>
      {lead.consent?.pageUrl && (
        <p>
          Page: <code>{lead.consent.pageUrl}</code>
          {!isOpeningKnown && '. The browser did not send when it was opened.'}
        </p>
      )}
      {corrects !== null && (
        <p>
          Corrects <LeadLink id={corrects} /> of the same visitor.
        </p>
      )}
      {duplicateOf !== null && (
        <p>
          Duplicate of <LeadLink id={duplicateOf} />, which is delivered instead.
        </p>
      )}
      {signals.length > 0 && (
        <>
          <p>Signs of abuse:</p>
          <ul>
            {signals.map((signal) => (
              <li key={signal}>{describeSignal(signal)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** How many attempts the timeline shows at the start and at the end, because a lead may be tried for weeks. */
const maxFirstAttempts = 5
const maxLastAttempts = 45

/** The timeline leaves out waits below this many milliseconds: the worker causes them itself. */
const maxUnlabeledWaitMs = 1000

/**
 * Lists each attempt and the wait before it.
 * @param hasBody whether the page shows the body of the request
 */
export function attemptEvents(
  attempts: readonly AttemptRecord[],
  hasBody: boolean,
): TimelineEvent[] {
  const leftOut = attempts.length - maxFirstAttempts - maxLastAttempts
  return attempts.flatMap((attempt, index): TimelineEvent[] => {
    if (leftOut > 0 && index >= maxFirstAttempts && index < maxFirstAttempts + leftOut) {
      return index === maxFirstAttempts ? [leftOutEvent(attempt.startedAt, leftOut)] : []
    }
    return [
      ...waitBetween(attempts[index - 1], attempt),
      {
        at: attempt.startedAt,
        kind: attempt.outcome === 'delivered' ? 'well' : 'problem',
        what: `Attempt ${attempt.number}: ${describeOutcome(attempt)}`,
        more: <Facts of={attemptFacts(attempt, hasBody)} />,
      },
    ]
  })
}

const sentLink = <a href="#sent">the request</a>

const leftOutEvent = (at: number, count: number): TimelineEvent => ({
  at,
  kind: 'note',
  what: `${count.toLocaleString('en-US')} more attempts`,
  more: (
    <p>
      To see all: <LeadsCommand verb="show" />.
    </p>
  ),
})

function attemptFacts(attempt: AttemptRecord, hasBody: boolean): readonly (Fact | false)[] {
  const { outcome, durationMs, retryAfterMs, said } = attempt
  const wasSent = outcome !== 'not-made' && outcome !== 'unreachable'
  const asked = retryAfterMs === null ? '' : `; it asked to wait ${formatDuration(retryAfterMs)}`
  return [
    wasSent && ['Sent', hasBody ? sentLink : 'the lead'],
    ['Response', `${responseOf(attempt) || 'none'}, after ${formatDuration(durationMs)}${asked}`],
    Boolean(said) && ['Message', <DistributorWords key="said" words={said ?? ''} />],
  ]
}

function waitBetween(before: AttemptRecord | undefined, attempt: AttemptRecord): TimelineEvent[] {
  if (before === undefined || before.outcome === 'rejected') return []
  const at = before.startedAt + before.durationMs
  const waited = attempt.startedAt - at
  if (waited < maxUnlabeledWaitMs) return []
  const what = `Retried after ${formatDuration(waited)}: ${describeCause(before)}`
  return [{ at, kind: 'wait', what }]
}

const outcomeWords: Readonly<Record<OutcomeName, string>> = {
  delivered: 'accepted',
  rejected: 'rejected',
  busy: 'the distributor asked to try again later',
  broken: 'the distributor’s response was not understood',
  refused: 'the distributor refused us or this lead',
  unreachable: 'no connection to the distributor; nothing was sent',
  unknown: 'no complete response; the distributor may have the lead',
  'not-made': 'nothing was sent',
}

const describeOutcome = ({ outcome, httpStatus }: AttemptRecord): string =>
  outcome === 'broken' && httpStatus !== null && httpStatus >= 500
    ? 'the distributor had an error'
    : outcomeWords[outcome]

/** Describes a failed response: `HTTP 503`, `no connection (ECONNREFUSED)`; empty if there was no response. */
function responseOf({ httpStatus, reason, code }: AttemptRecord): string {
  const why = reason === null ? '' : describeError(reason)
  return [httpStatus === null ? '' : `HTTP ${httpStatus}`, code === null ? why : `${why} (${code})`]
    .filter((part) => part !== '')
    .join(', ')
}

/** Says in a few words why an attempt failed. */
export const describeCause = (attempt: AttemptRecord): string =>
  responseOf(attempt) || describeOutcome(attempt)

/** Quotes the distributor's response. The note that a response is hidden is not a quotation. */
export const DistributorWords = ({ words }: { words: string }) =>
  words === hiddenResponse ? words : <q>{words}</q>

/** Lists the erasure and everything that happened to the delivery except its attempts. */
function deliveryEvents({ lead, delivery }: ShownDetails): TimelineEvent[] {
  const events: TimelineEvent[] = []
  if ('erasedAt' in lead) {
    const why = lead.erasedBy === 'request' ? 'on request' : 'because their retention ended'
    events.push({ at: lead.erasedAt, kind: 'note', what: `Personal data erased ${why}` })
  }
  if (delivery === null) return events
  const { restoredAt, settledAs, settledAt, isSettledByHand: isByHand } = delivery
  if (restoredAt !== null) {
    const more = settledAs === null && (
      <p>
        It may have been delivered after that backup. Ask the distributor. If it has this lead,
        choose <b>Settle</b> above.
      </p>
    )
    const what = 'Restored from a backup that had not delivered it yet'
    events.push({ at: restoredAt, kind: 'problem', what, more })
  }
  if (settledAs === null || settledAt === null) return events
  // The last attempt's event already says that the lead was delivered or rejected.
  if (!isByHand && (settledAs === 'delivered' || settledAs === 'rejected')) return events
  const kind = settledAs === 'delivered' ? 'well' : settledAs === 'erased' ? 'note' : 'problem'
  const how = isByHand ? ': settled by an operator, not by a response of the distributor' : ''
  events.push({ at: settledAt, kind, what: `${settlements[settledAs]}${how}` })
  return events
}

const settlements = {
  delivered: 'Accepted',
  rejected: 'Rejected',
  dead: 'Delivery failed: no further attempts are scheduled',
  erased: 'Delivery canceled: the person’s data was erased',
} as const

const inBrackets = (reason: string | null): string => (reason === null ? '' : ` (${reason})`)

const actEvent = ({ at, who, via, action, reason, outcome }: LeadAct): TimelineEvent => {
  const result =
    outcome === null
      ? 'The result is not known: the process may have stopped.'
      : describeRecordedOutcome(outcome)
  const what = `${who} ${action}${via === 'console' ? '' : ', on the command line'}`
  return { at, kind: 'note', what, more: <p>{result + inBrackets(reason)}</p> }
}

const jobEvent = ({ jobId, at, who, action, reason, result }: LeadJobAct): TimelineEvent => ({
  at,
  kind: 'note',
  what: `Job by ${who} (${action}): ${result}`,
  more: (
    <p>
      <a href={`/jobs/${jobId}`}>Job</a>
      {inBrackets(reason)}
    </p>
  ),
})
