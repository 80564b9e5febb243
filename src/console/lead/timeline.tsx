import type { ReactNode } from 'react'
import { DescriptionList } from '#console/shell/description-list.tsx'
import { LeadsCommand } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { describeSignal } from '#domain/abuse/signals.ts'
import {
  type AttemptOutcomeName,
  type AttemptRecord,
  describeAttemptError,
  hiddenResponseLabel,
} from '#domain/delivery/outcome.ts'
import { day } from '#domain/durations.ts'
import { describeAuditedOutcome } from '#domain/job/job-lead-outcome.ts'
import { describeAuditAction } from '#domain/operator/audit-action.ts'
import { formatCallDuration, formatDuration } from '#domain/text/time-formats.ts'
import type { LeadView, VisibleLeadDetails } from '#server/leads/view-lead.ts'
import styles from './timeline.module.css'

interface TimelineEvent {
  /** When the event happened, in epoch milliseconds. */
  readonly at: number
  /** Whether only the day is known: see `parseReturnTime`. */
  readonly isDay?: boolean
  readonly kind: 'well' | 'note' | 'problem'
  readonly title: string
  readonly details?: ReactNode
}

/** The timeline lists at most this many attempts, because a worker may retry a lead for weeks. */
const maxAttempts = 50

export const Timeline = ({ view }: { view: LeadView }) => (
  <>
    <ol className={styles.timeline} aria-label="Timeline">
      {listEvents(view).map(({ at, isDay, kind, title, details }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes in place
        <li key={index} className={styles[kind]}>
          <p className={styles.title}>{title}</p>
          <p className={styles.at}>
            <Timestamp at={at} format={isDay ? 'day' : 'seconds'} />
          </p>
          {details}
        </li>
      ))}
    </ol>
    {(view.record.delivery?.attempts.length ?? 0) > maxAttempts && (
      <p>
        This list has the latest {maxAttempts} attempts. To see all, run{' '}
        <LeadsCommand verb="show" />.
      </p>
    )}
  </>
)

const listEvents = ({ record, auditEntries, jobResults }: LeadView): TimelineEvent[] =>
  [
    ...listArrivalEvents(record),
    ...(record.delivery?.attempts ?? []).slice(-maxAttempts).map(toAttemptEvent),
    ...listDeliveryEvents(record),
    ...auditEntries.map(toActionEvent),
    ...jobResults.map(toJobEvent),
    // The sort is stable: events with equal times keep their order in this array.
  ].sort((one, other) => one.at - other.at)

function listArrivalEvents(record: VisibleLeadDetails): TimelineEvent[] {
  const { lead, signals, quarantinedAt, releasedAt } = record
  const details = signals.length > 0 && (
    <>
      <p>Signals:</p>
      <ul>
        {signals.map((signal) => (
          <li key={signal}>{describeSignal(signal)}</li>
        ))}
      </ul>
    </>
  )
  const events: TimelineEvent[] = [
    { at: lead.receivedAt, kind: 'note', title: `Received from the ${lead.area} page`, details },
  ]
  if (quarantinedAt !== null) {
    const title = 'Quarantined until an operator releases the lead'
    events.push({ at: quarantinedAt, kind: 'problem', title })
  }
  if (releasedAt !== null) {
    events.push({ at: releasedAt, kind: 'note', title: 'Released from quarantine' })
  }
  return events
}

function toAttemptEvent(attempt: AttemptRecord): TimelineEvent {
  const { number, startedAt, outcome, durationMs, retryAfterMs, said } = attempt
  const asked = retryAfterMs === null ? '' : `; requested wait: ${formatDuration(retryAfterMs)}`
  const response = `${describeFailedResponse(attempt) || 'none'}, after ${formatCallDuration(durationMs)}${asked}`
  return {
    at: startedAt,
    kind: outcome === 'delivered' ? 'well' : 'problem',
    title: `Attempt ${number}: ${outcomeDescriptions[outcome]}`,
    details: (
      <DescriptionList
        items={[
          ['Response', response],
          Boolean(said) && ['Message', <DistributorResponse key="message" text={said ?? ''} />],
        ]}
      />
    ),
  }
}

const outcomeDescriptions: Readonly<Record<AttemptOutcomeName, string>> = {
  delivered: 'accepted',
  rejected: 'rejected',
  busy: 'the distributor asked to try again later',
  broken: 'no usable response',
  refused: 'the distributor refused us or this lead',
  unreachable: 'no connection to the distributor; nothing was sent',
  unknown: 'no complete response; the distributor may have the lead',
  'not-made': 'nothing was sent',
}

/** Returns, for example, `HTTP 503` or `no connection (ECONNREFUSED)`; empty if neither status nor reason is known. */
function describeFailedResponse({ httpStatus, reason, code }: AttemptRecord): string {
  const why = reason === null ? '' : describeAttemptError(reason)
  return [httpStatus === null ? '' : `HTTP ${httpStatus}`, code === null ? why : `${why} (${code})`]
    .filter((part) => part !== '')
    .join(', ')
}

export const describeAttemptResult = (attempt: AttemptRecord): string =>
  describeFailedResponse(attempt) || outcomeDescriptions[attempt.outcome]

/** Quotes the distributor's response. If the response is hidden, a note without quotation marks says so. */
export const DistributorResponse = ({ text }: { text: string }) =>
  text === hiddenResponseLabel ? text : <q>{text}</q>

/** Lists all events except attempts: the lead's return and erasure, and the restoration and end of its delivery. */
function listDeliveryEvents({ lead, delivery, returned }: VisibleLeadDetails): TimelineEvent[] {
  const events: TimelineEvent[] = []
  if (returned !== null) {
    const details = returned.reason !== null && (
      <DescriptionList
        items={[['Reason', <DistributorResponse key="reason" text={returned.reason} />]]}
      />
    )
    const { at } = returned
    const title = 'Returned by the distributor'
    events.push({ at, isDay: at % day === day / 2, kind: 'problem', title, details })
  }
  if ('erasedAt' in lead) {
    const why = lead.erasedBy === 'request' ? 'on request' : 'after its retention period'
    events.push({ at: lead.erasedAt, kind: 'note', title: `Personal data erased ${why}` })
  }
  if (delivery === null) return events
  const { restoredAt, settledAs, settledAt, isSettledByHand: isByHand } = delivery
  if (restoredAt !== null) {
    const details = settledAs === null && (
      <p>
        The lead may have been delivered after the backup. Ask the distributor. If the distributor
        has this lead, choose <b>Settle</b> above.
      </p>
    )
    const title = 'Restored from a backup that was made before the delivery'
    events.push({ at: restoredAt, kind: 'problem', title, details })
  }
  if (settledAs === null || settledAt === null) return events
  // The last attempt's event already says that the lead was delivered or rejected.
  if (!isByHand && (settledAs === 'delivered' || settledAs === 'rejected')) return events
  const kind = settledAs === 'delivered' ? 'well' : settledAs === 'erased' ? 'note' : 'problem'
  const how = isByHand ? ': settled by an operator, not by a response of the distributor' : ''
  events.push({ at: settledAt, kind, title: `${settlementTitles[settledAs]}${how}` })
  return events
}

const settlementTitles = {
  delivered: 'Accepted',
  rejected: 'Rejected',
  dead: 'Delivery failed: no further attempts are scheduled',
  erased: 'Delivery canceled: the person’s data was erased',
  'do-not-contact': 'Not sent: the person asked not to be contacted',
} as const

const formatReason = (reason: string | null): string => (reason === null ? '' : ` (${reason})`)

const toActionEvent = (entry: LeadView['auditEntries'][number]): TimelineEvent => {
  const { at, who, via, action, reason, outcome } = entry
  const result =
    outcome === null
      ? 'The result is unknown: the process may have stopped.'
      : describeAuditedOutcome(outcome)
  const title = `${who} ${describeAuditAction(action)}${via === 'console' ? '' : ', on the command line'}`
  return { at, kind: 'note', title, details: <p>{result + formatReason(reason)}</p> }
}

const toJobEvent = (job: LeadView['jobResults'][number]): TimelineEvent => ({
  at: job.at,
  kind: 'note',
  title: `Job by ${job.who} (${job.action}): ${job.result}`,
  details: (
    <p>
      <a href={`/jobs/${job.jobId}`}>Job</a>
      {formatReason(job.reason)}
    </p>
  ),
})
