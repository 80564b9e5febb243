import { signalInWords } from '#domain/abuse/signal-in-words.ts'
import type { Ending } from '#domain/delivery/owed-stretches.ts'
import { outcomeWords } from '#domain/job/member-outcome.ts'
import { outcomeInWords } from '../../audit/outcome-in-words.ts'
import { durationInWords } from '../../shell/duration-in-words.ts'
import { LeadLink } from '../lead-link.tsx'
import type { ShownAct, ShownDelivery, ShownJobAct, ShownLead, ShownRecord } from '../shown-lead.ts'
import { attemptEvents } from './attempt-events.tsx'
import { holdEvents } from './hold-events.tsx'
import type { TimelineEvent } from './timeline-event.ts'

/** All that happened to a lead, the first first: from the page that it came from to the distributor's answer. */
export function timelineOf({
  record,
  acts,
  jobActs,
  sent,
  owed,
  holds,
}: ShownLead): readonly TimelineEvent[] {
  const { delivery } = record
  const events = [
    ...opened(record),
    ...received(record),
    ...quarantine(record),
    ...(delivery === null
      ? []
      : [
          ...attemptEvents({
            attempts: delivery.attempts,
            owedAgainAt: delivery.endings.map((ending) => ending.owedAgainAt),
            hasBody: sent !== undefined,
          }),
          ...restored(delivery),
          ...endedBefore(delivery, [...acts, ...jobActs]),
          ...settled(delivery),
        ]),
    ...erased(record),
    ...acts.map(actEvent),
    ...jobActs.map(jobEvent),
    ...holdEvents(holds, owed),
  ]
  // What came at the same moment stays in this order.
  return events.toSorted((one, other) => one.at - other.at)
}

const openingOf = (lead: ShownRecord['lead']): number | null =>
  'openedAt' in lead ? lead.openedAt : null

function opened({ lead }: ShownRecord): TimelineEvent[] {
  const at = openingOf(lead)
  if (at === null) return []
  const openFor = durationInWords(lead.receivedAt - at)
  const more = <p>{openFor} before it was sent, as the browser says.</p>
  return [{ key: 'opened', at, kind: 'note', what: `Page opened: ${lead.area}`, more }]
}

function received({ lead, duplicateOf, corrects, signals }: ShownRecord): TimelineEvent[] {
  const page = lead.consent?.pageUrl ?? ''
  const openedAt = openingOf(lead)
  return [
    {
      key: 'received',
      at: lead.receivedAt,
      kind: 'note',
      what: `Received from the ${lead.area} page, and stored`,
      more: (
        <>
          {page !== '' && (
            <p>
              Page: <code>{page}</code>
              {openedAt === null && '. When it was opened is not known.'}
            </p>
          )}
          {corrects !== null && (
            <p>
              Its visitor had sent <LeadLink id={corrects} /> before, and corrects it by this one.
            </p>
          )}
          {duplicateOf !== null && (
            <p>
              It repeats <LeadLink id={duplicateOf} />, which is delivered in its place.
            </p>
          )}
          {signals.length > 0 && (
            <>
              <p>What spoke against it:</p>
              <ul>
                {signals.map((signal) => (
                  <li key={signal}>{signalInWords(signal)}</li>
                ))}
              </ul>
            </>
          )}
        </>
      ),
    },
  ]
}

function quarantine({ quarantinedAt, releasedAt }: ShownRecord): TimelineEvent[] {
  return [
    ...(quarantinedAt === null
      ? []
      : [
          {
            key: 'quarantined',
            at: quarantinedAt,
            kind: 'problem' as const,
            what: 'Put in quarantine: it is not delivered until an operator releases it',
          },
        ]),
    ...(releasedAt === null
      ? []
      : [
          {
            key: 'released',
            at: releasedAt,
            kind: 'note' as const,
            what: 'Released from quarantine',
          },
        ]),
  ]
}

const restored = ({ restoredAt, settledAs }: ShownDelivery): TimelineEvent[] =>
  restoredAt === null
    ? []
    : [
        {
          key: 'restored',
          at: restoredAt,
          kind: 'problem',
          what: 'A backup was restored in which it was still owed',
          more: settledAs === null && (
            <p>
              It may have been delivered since that backup. Ask the distributor; where it has this
              lead, an operator presses <b>Settle</b> above.
            </p>
          ),
        },
      ]

const settlements = {
  delivered: 'Delivered: nothing more is sent',
  rejected: 'Ended: rejected, and not sent again',
  dead: 'Ended: it is not tried any more by itself',
  erased: 'Ended: it is not sent, as its person’s data are erased',
} as const

function settled({ settledAs, settledAt, isSettledByHand }: ShownDelivery): TimelineEvent[] {
  return settledAs === null || settledAt === null
    ? []
    : [{ key: 'settled', ...endOf({ settledAs, settledAt, isByHand: isSettledByHand }) }]
}

function endOf({ settledAs, settledAt, isByHand }: Omit<Ending, 'owedAgainAt'>) {
  const what = isByHand
    ? `Settled by hand as ${settledAs}: an operator says so, not the distributor’s answer`
    : settlements[settledAs]
  const kind = settledAs === 'delivered' ? 'well' : settledAs === 'erased' ? 'note' : 'problem'
  return { at: settledAt, kind, what } as const
}

/** Who retries at once writes down the same moment as the store. */
const sameMoment = 1000

/** Its ends before this one; and that it was owed again, where no act that the reader sees says so. */
const endedBefore = (
  { endings }: ShownDelivery,
  acts: readonly { readonly at: number }[],
): TimelineEvent[] =>
  endings.flatMap((ending) => {
    const { owedAgainAt: at } = ending
    const isSaid = acts.some((act) => Math.abs(act.at - at) < sameMoment)
    return [
      { key: `ended ${at}`, ...endOf(ending) },
      ...(isSaid
        ? []
        : [{ key: `again ${at}`, at, kind: 'note', what: 'Retried: owed again' } as const]),
    ]
  })

function erased({ lead }: ShownRecord): TimelineEvent[] {
  if (!('erasedAt' in lead)) return []
  const why =
    lead.erasedBy === 'request'
      ? 'on request'
      : 'as they were older than the time that leads are kept'
  return [
    { key: 'erased', at: lead.erasedAt, kind: 'note', what: `The person’s data erased ${why}` },
  ]
}

const actEvent = ({ id, at, who, via, action, reason, outcome }: ShownAct): TimelineEvent => ({
  key: id,
  at,
  kind: 'note',
  what: `${who} ${action}${via === 'console' ? '' : ', on the command line'}`,
  more: (
    <p>
      {outcome === null
        ? 'What came of it is not known: it may have been cut off.'
        : outcomeInWords(outcome)}
      {reason !== null && ` (${reason})`}
    </p>
  ),
})

const jobEvent = ({ jobId, at, who, action, reason, outcome }: ShownJobAct): TimelineEvent => ({
  key: `${jobId} ${at}`,
  at,
  kind: 'note',
  what: `A job of ${who} came to it, to ${action}: ${outcomeWords[outcome].came}`,
  more: (
    <p>
      <a href={`/jobs/${jobId}`}>The job</a>
      {reason !== null && ` (${reason})`}
    </p>
  ),
})
