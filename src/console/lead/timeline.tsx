import type { ReactNode } from 'react'
import { describeSignal } from '#domain/abuse/signals.ts'
import {
  type AttemptRecord,
  describeError,
  hiddenResponseLabel,
  type OutcomeName,
} from '#domain/delivery/outcome.ts'
import { describeAuditedOutcome } from '#domain/job/job-lead-outcome.ts'
import type {
  LeadAuditEntry,
  LeadView,
  VisibleJobResult,
  VisibleLeadDetails,
} from '#domain/lead/lead-details.ts'
import { LeadsCommand } from '../shell/console-page.tsx'
import { Facts } from '../shell/facts.tsx'
import { formatDuration, Timestamp } from '../shell/times.tsx'
import styles from './timeline.module.css'

interface TimelineEvent {
  /** When the event happened, in epoch milliseconds. */
  readonly at: number
  readonly kind: 'well' | 'note' | 'problem'
  readonly what: string
  readonly more?: ReactNode
}

/** The largest number of listed attempts, because a worker may retry a lead for weeks. */
const maxAttempts = 50

export const Timeline = ({ view }: { view: LeadView }) => (
  <>
    <ol className={styles.timeline} aria-label="Timeline">
      {listEvents(view).map(({ at, kind, what, more }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes in place
        <li key={index} className={styles[kind]}>
          <p className={styles.what}>{what}</p>
          <p className={styles.at}>
            <Timestamp at={at} as="seconds" />
          </p>
          {more}
        </li>
      ))}
    </ol>
    {(view.record.delivery?.attempts.length ?? 0) > maxAttempts && (
      <p>
        Only the latest {maxAttempts} attempts are listed. To see all: <LeadsCommand verb="show" />.
      </p>
    )}
  </>
)

const listEvents = ({ record, acts, jobActs }: LeadView): TimelineEvent[] =>
  [
    ...listArrivalEvents(record),
    ...(record.delivery?.attempts ?? []).slice(-maxAttempts).map(toAttemptEvent),
    ...listDeliveryEvents(record),
    ...acts.map(toActionEvent),
    ...jobActs.map(toJobEvent),
    // The sort is stable: events with equal times keep their order in this array.
  ].toSorted((one, other) => one.at - other.at)

function listArrivalEvents({
  lead,
  signals,
  quarantinedAt,
  releasedAt,
}: VisibleLeadDetails): TimelineEvent[] {
  const more = signals.length > 0 && (
    <>
      <p>Signs of abuse:</p>
      <ul>
        {signals.map((signal) => (
          <li key={signal}>{describeSignal(signal)}</li>
        ))}
      </ul>
    </>
  )
  const events: TimelineEvent[] = [
    { at: lead.receivedAt, kind: 'note', what: `Received from the ${lead.area} page`, more },
  ]
  if (quarantinedAt !== null) {
    const what = 'Quarantined until an operator releases the lead'
    events.push({ at: quarantinedAt, kind: 'problem', what })
  }
  if (releasedAt !== null) {
    events.push({ at: releasedAt, kind: 'note', what: 'Released from quarantine' })
  }
  return events
}

export function toAttemptEvent(attempt: AttemptRecord): TimelineEvent {
  const { number, startedAt, outcome, durationMs, retryAfterMs, said } = attempt
  const asked = retryAfterMs === null ? '' : `; it asked to wait ${formatDuration(retryAfterMs)}`
  const response = `${describeFailedResponse(attempt) || 'none'}, after ${formatDuration(durationMs)}${asked}`
  return {
    at: startedAt,
    kind: outcome === 'delivered' ? 'well' : 'problem',
    what: `Attempt ${number}: ${outcomeWords[outcome]}`,
    more: (
      <Facts
        of={[
          ['Response', response],
          Boolean(said) && ['Message', <DistributorResponse key="message" words={said ?? ''} />],
        ]}
      />
    ),
  }
}

const outcomeWords: Readonly<Record<OutcomeName, string>> = {
  delivered: 'accepted',
  rejected: 'rejected',
  busy: 'the distributor asked to try again later',
  broken: 'no usable response',
  refused: 'the distributor refused us or this lead',
  unreachable: 'no connection to the distributor; nothing was sent',
  unknown: 'no complete response; the distributor may have the lead',
  'not-made': 'nothing was sent',
}

/** Describes a failed response: `HTTP 503`, `no connection (ECONNREFUSED)`; empty if there was no response. */
function describeFailedResponse({ httpStatus, reason, code }: AttemptRecord): string {
  const why = reason === null ? '' : describeError(reason)
  return [httpStatus === null ? '' : `HTTP ${httpStatus}`, code === null ? why : `${why} (${code})`]
    .filter((part) => part !== '')
    .join(', ')
}

export const describeCause = (attempt: AttemptRecord): string =>
  describeFailedResponse(attempt) || outcomeWords[attempt.outcome]

/** Quotes the distributor's response. A note that the response is hidden gets no quotation marks. */
export const DistributorResponse = ({ words }: { words: string }) =>
  words === hiddenResponseLabel ? words : <q>{words}</q>

/** Lists the erasure and everything that happened to the delivery except its attempts. */
function listDeliveryEvents({ lead, delivery, returned }: VisibleLeadDetails): TimelineEvent[] {
  const events: TimelineEvent[] = []
  if (returned !== null) {
    const more = returned.reason !== null && (
      <Facts of={[['Reason', <DistributorResponse key="reason" words={returned.reason} />]]} />
    )
    events.push({ at: returned.at, kind: 'problem', what: 'Returned by the distributor', more })
  }
  if ('erasedAt' in lead) {
    const why = lead.erasedBy === 'request' ? 'on request' : 'because their retention ended'
    events.push({ at: lead.erasedAt, kind: 'note', what: `Personal data erased ${why}` })
  }
  if (delivery === null) return events
  const { restoredAt, settledAs, settledAt, isSettledByHand: isByHand } = delivery
  if (restoredAt !== null) {
    const more = settledAs === null && (
      <p>
        The lead may have been delivered after the backup. Ask the distributor. If it has this lead,
        choose <b>Settle</b> above.
      </p>
    )
    const what = 'Restored from a backup made before its delivery'
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

const parenthesize = (reason: string | null): string => (reason === null ? '' : ` (${reason})`)

const toActionEvent = ({
  at,
  who,
  via,
  action,
  reason,
  outcome,
}: LeadAuditEntry): TimelineEvent => {
  const result =
    outcome === null
      ? 'The result is not known: the process may have stopped.'
      : describeAuditedOutcome(outcome)
  const what = `${who} ${action}${via === 'console' ? '' : ', on the command line'}`
  return { at, kind: 'note', what, more: <p>{result + parenthesize(reason)}</p> }
}

const toJobEvent = ({
  jobId,
  at,
  who,
  action,
  reason,
  result,
}: VisibleJobResult): TimelineEvent => ({
  at,
  kind: 'note',
  what: `Job by ${who} (${action}): ${result}`,
  more: (
    <p>
      <a href={`/jobs/${jobId}`}>Job</a>
      {parenthesize(reason)}
    </p>
  ),
})
