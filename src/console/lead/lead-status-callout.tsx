import type { ReactNode } from 'react'
import { LeadLink } from '#console/shell/lead-link.tsx'
import { Callout, type CalloutProps, TextWithLinks } from '#console/shell/message.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { describeUnreadable } from '#domain/lead/lead.ts'
import { capitalize } from '#domain/text/formats.ts'
import { formatDuration } from '#domain/text/time-formats.ts'
import type { LeadView } from '#server/leads/view-lead.ts'
import { DistributorResponse, describeAttemptResult } from './timeline.tsx'

interface LeadStatusProps {
  view: LeadView
  /** Why the lead is not delivered, if known. */
  cause: string | undefined
}

export function LeadStatusCallout({ view, cause }: LeadStatusProps) {
  const [kind, heading, text] = describeStatus(view, cause)
  return (
    <Callout kind={kind} heading={heading}>
      {text && <p>{text}</p>}
    </Callout>
  )
}

type StatusDescription = readonly [kind: CalloutProps['kind'], heading: string, text?: ReactNode]

function describeStatus(view: LeadView, cause: string | undefined): StatusDescription {
  const { lead, status, duplicateOf, returned } = view.record
  if ('erasedAt' in lead) return describeErasedLead(lead.erasedBy)
  if ('unreadable' in lead && status !== 'delivered') {
    const why = `The workers don’t send the lead: ${describeUnreadable(lead.unreadable)}`
    return ['problem', 'Lead can’t be read', <TextWithLinks key="why" text={why} />]
  }
  switch (status) {
    case 'quarantined':
      return [
        'problem',
        'In quarantine',
        'A worker sends the lead only if an operator releases it. The timeline says why it waits.',
      ]
    case 'duplicate': {
      const first = duplicateOf !== null && <LeadLink id={duplicateOf} />
      return [
        'note',
        'Duplicate',
        first && <>This lead repeats {first}, which is delivered instead.</>,
      ]
    }
    case 'do-not-contact':
      return [
        'note',
        'Not sent: asked not to be contacted',
        'The person is or was on the list Do not contact. Retry sends the lead only to a person who is no longer on it.',
      ]
    case 'not sent':
      return ['note', 'Not sent to the distributor']
    case 'leased':
      return ['note', 'Being delivered', 'A worker is sending the lead now.']
    case 'delivered':
      return returned === null
        ? ['well', 'Accepted', describeFinalStatus(view)]
        : ['problem', 'Returned by the distributor', describeReturn(returned)]
    case 'rejected':
      return ['problem', 'Rejected', describeFinalStatus(view, cause)]
    case 'dead':
      return ['problem', 'Failed: no further attempts', describeFinalStatus(view, cause)]
    default:
      return describeWaitingLead(view, cause)
  }
}

function describeWaitingLead(
  { breaker, record, now }: LeadView,
  cause: string | undefined,
): StatusDescription {
  const { pause, trip } = breaker
  const next = record.delivery?.nextAttemptAt ?? now
  if (pause !== null) {
    return [
      'note',
      'Waiting: deliveries are paused',
      <>
        {pause.by !== undefined && `Paused by ${pause.by}. `}
        {pause.reason === '' ? 'No reason given' : `Reason: ${pause.reason}`}. Since{' '}
        <Timestamp at={pause.since} />. A worker sends the lead after an operator resumes deliveries
        {next > now && (
          <>
            , and not before <Timestamp at={next} />
          </>
        )}
        .
      </>,
    ]
  }
  if (trip !== null) {
    return [
      'problem',
      'Waiting for the distributor',
      <>
        The distributor has accepted no lead since <Timestamp at={trip.since} />. {cause}
      </>,
    ]
  }
  const held = record.delivery?.held
  if (held && next > now) {
    return [
      'note',
      'Held by a cap',
      <>
        {capitalize(held.because)}. Next attempt: <Timestamp at={next} />.
      </>,
    ]
  }
  const last = record.delivery?.attempts.at(-1)
  if (last === undefined || next <= now) {
    return ['note', 'Due now', 'A free worker sends the lead, unless a cap holds it.']
  }
  return [
    'note',
    `Next attempt in ${formatDuration(next - now)}`,
    <>
      {describeAttemptResult(last)}
      {last.retryAfterMs !== null && ', and the distributor asked for this delay'}. Next attempt:{' '}
      <Timestamp at={next} />. {cause}
    </>,
  ]
}

function describeFinalStatus(
  { record: { status, delivery } }: LeadView,
  cause?: string,
): ReactNode {
  if (delivery === null) return cause
  const { settledAt, isSettledByHand, attempts } = delivery
  const last = status === 'delivered' || isSettledByHand ? undefined : attempts.at(-1)
  return (
    <>
      {settledAt !== null && (
        <>
          Since <Timestamp at={settledAt} />
          {isSettledByHand && ', settled by an operator'}.{' '}
        </>
      )}
      {last && `${describeAttemptResult(last)}.`}{' '}
      {last?.said && (
        <>
          Message: <DistributorResponse text={last.said} />.{' '}
        </>
      )}
      {cause}
    </>
  )
}

const describeReturn = ({ at, reason }: NonNullable<LeadView['record']['returned']>) => (
  <>
    The distributor accepted the lead and returned it on <Timestamp at={at} format="day" />
    {reason === null ? ' without a reason' : ': '}
    {reason !== null && <DistributorResponse text={reason} />}.
  </>
)

const describeErasedLead = (by: 'request' | 'retention'): StatusDescription => {
  const kept =
    'The reference, times, area, program, delivery results and consent are kept as proof.'
  return by === 'request'
    ? ['note', 'Erased on request', `The person’s data was erased at their request. ${kept}`]
    : [
        'note',
        'Erased after its retention period',
        `The answers were erased after RETENTION_DAYS. ${kept}`,
      ]
}
