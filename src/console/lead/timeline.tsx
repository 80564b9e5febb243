import type { ReactNode } from 'react'
import { signalInWords } from '#domain/abuse/signals.ts'
import type { Ending, Stretch } from '#domain/delivery/delivery.ts'
import { type Hold, holdInWords } from '#domain/delivery/hold.ts'
import { outcomes } from '#domain/job/member-outcome.ts'
import { outcomeInWords } from '../audit/audit-cells.tsx'
import { durationInWords, Moment } from '../shell/times.tsx'
import { LeadLink } from './lead-name.tsx'
import type { ShownAct, ShownDelivery, ShownJobAct, ShownLead, ShownRecord } from './shown-lead.ts'
import styles from './timeline.module.css'
import { attemptEvents } from './timeline-attempts.tsx'

/** The first thing first; read from top to bottom it is the lead's story. */
export const Timeline = ({ events }: { events: readonly TimelineEvent[] }) => (
  <ol className={styles.timeline} aria-label="What happened">
    {events.map(({ key, at, kind, what, more }) => (
      <li key={key} className={styles[kind]}>
        <p className={styles.what}>{what}</p>
        {kind !== 'wait' && (
          <p className={styles.at}>
            <Moment at={at} />
          </p>
        )}
        {more}
      </li>
    ))}
  </ol>
)

/** One thing that happened. `wait` is the time between two others. */
export interface TimelineEvent {
  readonly key: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: 'well' | 'note' | 'problem' | 'wait'
  readonly what: string
  readonly more?: ReactNode
}

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
    ...arrivalEvents(record),
    ...(delivery === null
      ? []
      : [
          ...attemptEvents({
            attempts: delivery.attempts,
            owedAgainAt: delivery.endings.map((ending) => ending.owedAgainAt),
            hasBody: sent !== undefined,
          }),
          ...endingEvents(delivery, [...acts, ...jobActs]),
        ]),
    ...erased(record),
    ...acts.map(actEvent),
    ...jobActs.map(jobEvent),
    ...holdEvents(holds, owed),
  ]
  // What came at the same moment stays in this order.
  return events.toSorted((one, other) => one.at - other.at)
}

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

export const actEvent = ({
  id,
  at,
  who,
  via,
  action,
  reason,
  outcome,
}: ShownAct): TimelineEvent => ({
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

export const jobEvent = ({
  jobId,
  at,
  who,
  action,
  reason,
  outcome,
}: ShownJobAct): TimelineEvent => ({
  key: `${jobId} ${at}`,
  at,
  kind: 'note',
  what: `A job of ${who} came to it, to ${action}: ${outcomes[outcome].result}`,
  more: (
    <p>
      <a href={`/jobs/${jobId}`}>The job</a>
      {reason !== null && ` (${reason})`}
    </p>
  ),
})

/** Shorter ones nobody felt. */
const shortHold = 1000

/** While all deliveries were held back this lead waited, too: how long of it, why, from when to when. */
export const holdEvents = (
  holds: readonly Hold[],
  owed: readonly Stretch[],
): readonly TimelineEvent[] => owed.flatMap((stretch) => eventsIn(stretch, holds))

function eventsIn(owed: Stretch, holds: readonly Hold[]): readonly TimelineEvent[] {
  return holds.flatMap((hold) => {
    const { since, until, isOpen } = hold
    const from = hold.heldFrom ?? since
    const end = isOpen ? owed.until : until
    // When an end that nobody noted was is not made up.
    if (end === null) return []
    const at = Math.max(from, owed.since)
    const heldMs = Math.min(end, owed.until) - at
    if (heldMs < shortHold) return []
    return [
      {
        key: `held ${since} ${owed.since}`,
        at,
        kind: 'wait' as const,
        what: `Held for ${durationInWords(heldMs)}: ${holdInWords(hold)}`,
        more: (
          <p>
            {from - since >= shortHold && (
              <>
                The first try failed at <Moment at={since} />; others were sent until it was plain.{' '}
              </>
            )}
            From <Moment at={from} />{' '}
            {isOpen || until === null ? (
              'until now'
            ) : (
              <>
                to <Moment at={until} />
              </>
            )}
            .
          </p>
        ),
      },
    ]
  })
}

/** From the page that it came from to its release from quarantine. */
export const arrivalEvents = (record: ShownRecord): readonly TimelineEvent[] => [
  ...opened(record),
  ...received(record),
  ...quarantine(record),
]

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

/**
 * How its delivery ended, each time, and why it was owed again.
 * @param acts what the reader sees of those that were done to the lead
 */
export const endingEvents = (
  delivery: ShownDelivery,
  acts: readonly { readonly at: number }[],
): readonly TimelineEvent[] => [
  ...restored(delivery),
  ...endedBefore(delivery, acts),
  ...settled(delivery),
]

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
