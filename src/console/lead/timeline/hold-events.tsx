import { type Hold, holdInWords } from '#domain/delivery/hold.ts'
import type { Stretch } from '#domain/delivery/owed-stretches.ts'
import { durationInWords } from '../../shell/duration-in-words.ts'
import { Moment } from '../../shell/moment.tsx'
import type { TimelineEvent } from './timeline-event.ts'

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
