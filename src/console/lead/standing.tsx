import { unreadableInWords } from '#domain/lead/unreadable-in-words.ts'
import { Notice } from '../shell/message.tsx'
import { durationInWords, Moment } from '../shell/times.tsx'
import { LeadLink } from './lead-name.tsx'
import type { ShownDelivery, ShownLead } from './shown-lead.ts'
import { outcomeInWords, whyInWords } from './timeline-attempts.tsx'

interface StandingProps {
  view: ShownLead
  /** Whose doing it is that it is not delivered, where that can be said. */
  culprit: string | undefined
}

/** How the lead stands, why, and what can be done. */
export function Standing({ view, culprit }: StandingProps) {
  const { record } = view
  const { lead, status, delivery, duplicateOf } = record
  if ('erasedAt' in lead) return <Erased by={lead.erasedBy} />
  if ('unreadable' in lead && status !== 'delivered') {
    return (
      <Notice kind="problem" heading="This lead cannot be read">
        <p>It is not sent: {unreadableInWords(lead.unreadable)}</p>
      </Notice>
    )
  }
  switch (status) {
    case 'quarantined':
      return (
        <Notice kind="problem" heading="In quarantine">
          <p>It is not delivered until it is released. What speaks against it stands below.</p>
        </Notice>
      )
    case 'duplicate':
      return (
        <Notice kind="note" heading="A duplicate: it owes no delivery">
          {duplicateOf !== null && (
            <p>
              It repeats <LeadLink id={duplicateOf} />, which is delivered in its place.
            </p>
          )}
        </Notice>
      )
    case 'not sent':
      return <Notice kind="note" heading="Not sent to the distributor" />
    case 'leased':
      return (
        <Notice kind="note" heading="Being delivered">
          <p>A worker has it at this moment.</p>
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
          heading="Dead: not tried any more"
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
          {pause.reason === '' ? 'No reason is given' : `Reason: ${pause.reason}`}. Since{' '}
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
      <Notice kind="problem" heading="Held: deliveries wait for the distributor">
        <p>
          It has taken none since <Moment at={breaker.trip.since} />. {culprit}
        </p>
      </Notice>
    )
  }
  const last = record.delivery?.attempts.at(-1)
  if (last === undefined || next <= now) {
    return (
      <Notice kind="note" heading="Due now">
        <p>A worker takes it next.</p>
      </Notice>
    )
  }
  return (
    <Notice kind="note" heading={`Waits ${durationInWords(next - now)}, then it is tried again`}>
      <p>
        {whyInWords(last) || outcomeInWords(last)}
        {last.retryAfterMs !== null && ', and the distributor named how long'}. Next attempt:{' '}
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
            {delivery?.isSettledByHand ? ', as an operator says' : ''}.{' '}
          </>
        )}
        {kind === 'problem' && !delivery?.isSettledByHand && last !== undefined && (
          <>
            {whyInWords(last) || outcomeInWords(last)}
            {last.said ? (
              <>
                : <q>{last.said}</q>
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
    heading={by === 'request' ? 'Erased on request' : 'Erased: its time was over'}
  >
    <p>
      {by === 'request'
        ? 'Name, address, phone, email and IP are gone, as their person asked. '
        : 'The person’s answers are gone, as they were older than leads are kept (RETENTION_DAYS). '}
      What is left proves what was done: the reference, times, area and program, how each delivery
      went, and of the consent its text, its time and its page
      {by === 'retention' && ' with the IP, until its own time is over'}. The distributor’s own
      words are gone, as they may quote the person.
    </p>
  </Notice>
)
