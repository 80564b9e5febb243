import type { ReactNode } from 'react'
import { describeSignal } from '#domain/abuse/signals.ts'
import type { Ending, Stretch } from '#domain/delivery/delivery.ts'
import { describeHold, type Hold } from '#domain/delivery/hold.ts'
import type { JobAct } from '#domain/job/job.ts'
import { outcomes } from '#domain/job/member-outcome.ts'
import { describeOutcome } from '../audit/audit-cells.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'
import { LeadLink } from './lead-name.tsx'
import type { ShownAct, ShownDelivery, ShownLead, ShownRecord } from './shown-lead.ts'
import styles from './timeline.module.css'
import { attemptEvents } from './timeline-attempts.tsx'

/** The first thing first; read from top to bottom it is the lead's story. */
export const Timeline = ({ events }: { events: readonly TimelineEvent[] }) => (
  <ol className={styles.timeline} aria-label="Timeline">
    {events.map(({ key, at, kind, what, more }) => (
      <li key={key} className={styles[kind]}>
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

/** One thing that happened. `wait` is the time between two others. */
export interface TimelineEvent {
  readonly key: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: 'well' | 'note' | 'problem' | 'wait'
  readonly what: string
  readonly more?: ReactNode
}

/** A lead's events, oldest first: from its page to the distributor's answer. */
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
  // Events of the same moment stay in this order.
  return events.toSorted((one, other) => one.at - other.at)
}

function erased({ lead }: ShownRecord): TimelineEvent[] {
  if (!('erasedAt' in lead)) return []
  const why = lead.erasedBy === 'request' ? 'on request' : 'because their retention ended'
  return [{ key: 'erased', at: lead.erasedAt, kind: 'note', what: `Personal data erased ${why}` }]
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
        ? 'The result is not known: the process may have stopped.'
        : describeOutcome(outcome)}
      {reason !== null && ` (${reason})`}
    </p>
  ),
})

export const jobEvent = ({ jobId, at, who, action, reason, outcome }: JobAct): TimelineEvent => ({
  key: `${jobId} ${at}`,
  at,
  kind: 'note',
  what: `Job by ${who} (${action}): ${outcomes[outcome].result}`,
  more: (
    <p>
      <a href={`/jobs/${jobId}`}>Job</a>
      {reason !== null && ` (${reason})`}
    </p>
  ),
})

/** Shorter ones went unnoticed. */
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
    // An unrecorded end has no time, and none is made up.
    if (end === null) return []
    const at = Math.max(from, owed.since)
    const heldMs = Math.min(end, owed.until) - at
    if (heldMs < shortHold) return []
    return [
      {
        key: `held ${since} ${owed.since}`,
        at,
        kind: 'wait' as const,
        what: `Held for ${formatDuration(heldMs)}: ${describeHold(hold)}`,
        more: (
          <p>
            {from - since >= shortHold && (
              <>
                The first attempt failed at <Moment at={since} />; more were made before deliveries
                stopped.{' '}
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
  const openFor = formatDuration(lead.receivedAt - at)
  const more = <p>{openFor} before the enquiry was sent, according to the browser.</p>
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
      what: `Received from the ${lead.area} page`,
      more: (
        <>
          {page !== '' && (
            <p>
              Page: <code>{page}</code>
              {openedAt === null && '. The browser did not send when it was opened.'}
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
            what: 'Quarantined until an operator releases it',
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
 * Each end of its delivery, and why it was reopened.
 * @param acts the actions on the lead that the reader may see
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
          what: 'Restored from a backup that had not delivered it yet',
          more: settledAs === null && (
            <p>
              It may have been delivered after that backup. Ask the distributor. If it has this
              lead, choose <b>Settle</b> above.
            </p>
          ),
        },
      ]

const settlements = {
  delivered: 'Delivered',
  rejected: 'Rejected',
  dead: 'Delivery failed: no further attempts are scheduled',
  erased: 'Delivery canceled: the person’s data was erased',
} as const

/** The attempt before it says so already. */
const isToldByAttempt = ({
  settledAs,
  isByHand,
}: Pick<Ending, 'settledAs' | 'isByHand'>): boolean =>
  !isByHand && (settledAs === 'delivered' || settledAs === 'rejected')

function settled({ settledAs, settledAt, isSettledByHand }: ShownDelivery): TimelineEvent[] {
  return settledAs === null ||
    settledAt === null ||
    isToldByAttempt({ settledAs, isByHand: isSettledByHand })
    ? []
    : [{ key: 'settled', ...endOf({ settledAs, settledAt, isByHand: isSettledByHand }) }]
}

function endOf({ settledAs, settledAt, isByHand }: Omit<Ending, 'owedAgainAt'>) {
  const what = isByHand
    ? `Settled as ${settledAs} by an operator, not by a response of the distributor`
    : settlements[settledAs]
  const kind = settledAs === 'delivered' ? 'well' : settledAs === 'erased' ? 'note' : 'problem'
  return { at: settledAt, kind, what } as const
}

/**
 * The longest difference between an immediate retry and its event in the store, in milliseconds.
 */
const sameMoment = 1000

/** Its earlier ends; and its reopening, if no action visible to the reader shows it. */
const endedBefore = (
  { endings }: ShownDelivery,
  acts: readonly { readonly at: number }[],
): TimelineEvent[] =>
  endings.flatMap((ending) => {
    const { owedAgainAt: at } = ending
    const isSaid = acts.some((act) => Math.abs(act.at - at) < sameMoment)
    return [
      ...(isToldByAttempt(ending) ? [] : [{ key: `ended ${at}`, ...endOf(ending) }]),
      ...(isSaid
        ? []
        : [{ key: `again ${at}`, at, kind: 'note', what: 'Retry requested' } as const]),
    ]
  })
