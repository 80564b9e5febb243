import { describeUnreadable } from '#domain/lead/lead.ts'
import { Notice } from '../shell/message.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'
import { LeadLink } from './lead-name.tsx'
import type { ShownDelivery, ShownLead } from './shown-lead.ts'
import { DistributorWords, describeCause, describeOutcome } from './timeline-attempts.tsx'

interface StandingProps {
  view: ShownLead
  /** Who causes the lead not to be delivered, if known. */
  culprit: string | undefined
}

/** The lead's state, its reason, and the possible actions. */
export function Standing({ view, culprit }: StandingProps) {
  const { record } = view
  const { lead, status, delivery, duplicateOf } = record
  if ('erasedAt' in lead) return <Erased by={lead.erasedBy} />
  if ('unreadable' in lead && status !== 'delivered') {
    return (
      <Notice kind="problem" heading="Lead can’t be read">
        <p>It is not delivered: {describeUnreadable(lead.unreadable)}</p>
      </Notice>
    )
  }
  switch (status) {
    case 'quarantined':
      return (
        <Notice kind="problem" heading="In quarantine">
          <p>An operator decides whether it is delivered. The timeline lists the signs of abuse.</p>
        </Notice>
      )
    case 'duplicate':
      return (
        <Notice kind="note" heading="Duplicate">
          {duplicateOf !== null && (
            <p>
              Of <LeadLink id={duplicateOf} />, which is delivered instead.
            </p>
          )}
        </Notice>
      )
    case 'not sent':
      return <Notice kind="note" heading="Not sent to the distributor" />
    case 'leased':
      return (
        <Notice kind="note" heading="Being delivered">
          <p>A worker is sending it now.</p>
        </Notice>
      )
    case 'delivered':
      return <Ended kind="well" heading="Delivered" delivery={delivery} culprit={undefined} />
    case 'rejected':
      return <Ended kind="problem" heading="Rejected" delivery={delivery} culprit={culprit} />
    case 'dead':
      return (
        <Ended
          kind="problem"
          heading="Dead: no further attempts"
          delivery={delivery}
          culprit={culprit}
        />
      )
    default:
      return <Waiting view={view} culprit={culprit} />
  }
}

function Waiting({ view, culprit }: StandingProps) {
  const { breaker, holds, record, now } = view
  const { pause } = breaker
  const next = record.delivery?.nextAttemptAt ?? now
  const open = holds.findLast(({ isOpen }) => isOpen)
  if (pause !== null) {
    return (
      <Notice
        kind="note"
        heading={`Held: deliveries are paused by ${open?.begunBy ?? 'an operator'}`}
      >
        <p>
          {pause.reason === '' ? 'No reason given' : `Reason: ${pause.reason}`}. Since{' '}
          <Moment at={pause.since} />. It is sent once they are resumed
          {next > now && (
            <>
              , and not before <Moment at={next} />
            </>
          )}
          .
        </p>
      </Notice>
    )
  }
  if (breaker.trip !== null) {
    return (
      <Notice kind="problem" heading="Waiting for the distributor">
        <p>
          It has accepted no lead since <Moment at={breaker.trip.since} />. {culprit}
        </p>
      </Notice>
    )
  }
  const last = record.delivery?.attempts.at(-1)
  if (last === undefined || next <= now) {
    return (
      <Notice kind="note" heading="Due now">
        <p>A worker sends it next.</p>
      </Notice>
    )
  }
  return (
    <Notice kind="note" heading={`Next attempt in ${formatDuration(next - now)}`}>
      <p>
        {describeCause(last) || describeOutcome(last)}
        {last.retryAfterMs !== null && ', and the distributor asked for this delay'}. Next attempt:{' '}
        <Moment at={next} />.{culprit !== undefined && ` ${culprit}`}
      </p>
    </Notice>
  )
}

interface EndedProps {
  kind: 'well' | 'problem'
  heading: string
  delivery: ShownDelivery | null
  culprit: string | undefined
}

function Ended({ kind, heading, delivery, culprit }: EndedProps) {
  const last = delivery?.attempts.at(-1)
  const settledAt = delivery?.settledAt ?? null
  return (
    <Notice kind={kind} heading={heading}>
      <p>
        {settledAt !== null && (
          <>
            Since <Moment at={settledAt} />
            {delivery?.isSettledByHand ? ', settled by an operator' : ''}.{' '}
          </>
        )}
        {kind === 'problem' && !delivery?.isSettledByHand && last !== undefined && (
          <>
            {describeCause(last) || describeOutcome(last)}
            {last.said ? (
              <>
                : <DistributorWords words={last.said} />
              </>
            ) : (
              '.'
            )}
          </>
        )}
        {culprit !== undefined && ` ${culprit}`}
      </p>
    </Notice>
  )
}

const Erased = ({ by }: { by: 'request' | 'retention' }) => (
  <Notice
    kind="note"
    heading={by === 'request' ? 'Erased on request' : 'Erased: its retention has ended'}
  >
    <p>
      {by === 'request'
        ? 'Name, address, phone, email and IP address were erased at the person’s request. '
        : 'The answers were erased after the retention period (RETENTION_DAYS). '}
      Kept as proof: the reference, times, area and program, how each delivery went, and the
      consent’s text, time and page
      {by === 'retention' && ', with the IP address until its own retention ends'}. The
      distributor’s responses were erased too, as they may quote the person.
    </p>
  </Notice>
)
