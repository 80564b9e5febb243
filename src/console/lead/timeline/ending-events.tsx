import type { Ending } from '#domain/delivery/owed-stretches.ts'
import type { ShownDelivery } from '../shown-lead.ts'
import type { TimelineEvent } from './timeline-event.ts'

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
