import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { Hold } from '#domain/delivery/hold.ts'

/** When deliveries were held back, and why: what the breaker has noted of itself. The oldest go in time. */
export interface DeliveryHolds {
  /** The newest first. */
  list(take: number): Promise<readonly Hold[]>
  /** Those that lie between the two, at least in part, the oldest first. Epoch milliseconds. */
  during(since: number, until: number, take: number): Promise<readonly Hold[]>
}

interface Sight {
  readonly breaker: BreakerState
  /** Else they are not told who did it. */
  readonly seesAudit: boolean
}

/** One that a version before this one has ended still stands there as if it lasted: the breaker itself knows better. */
export const holdsAsTheyStand = (
  holds: readonly Hold[],
  { breaker, seesAudit }: Sight,
): readonly Hold[] =>
  holds.map((hold) => {
    const standing = hold.kind === 'pause' ? breaker.pause : breaker.trip
    const named = seesAudit ? hold : { ...hold, begunBy: null, endedBy: null }
    return { ...named, isOpen: hold.isOpen && standing !== null }
  })
