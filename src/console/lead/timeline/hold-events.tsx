import { type Hold, holdInWords } from '#domain/delivery/hold.ts'
import { durationInWords } from '../../shell/duration-in-words.ts'
import { Moment } from '../../shell/moment.tsx'
import type { TimelineEvent } from './timeline-event.ts'

/** Shorter ones nobody felt. */
const shortHold = 1000

interface Owed {
  /** When the lead came, and was settled; or now. Epoch milliseconds. */
  readonly since: number
  readonly until: number
}

/** While all deliveries were held back this lead waited, too: how long of it, why, from when to when. */
export function holdEvents(holds: readonly Hold[], owed: Owed): readonly TimelineEvent[] {
  return holds.flatMap((hold) => {
    const { since, until, isOpen } = hold
    const end = isOpen ? owed.until : until
    // When an end that nobody noted was is not made up.
    if (end === null) return []
    const at = Math.max(since, owed.since)
    const heldMs = Math.min(end, owed.until) - at
    if (heldMs < shortHold) return []
    return [
      {
        key: `held ${since}`,
        at,
        kind: 'wait' as const,
        what: `Held for ${durationInWords(heldMs)}: ${holdInWords(hold)}`,
        more: (
          <p>
            From <Moment at={since} />{' '}
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
