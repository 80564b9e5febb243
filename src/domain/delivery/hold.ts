import type { TripCause } from './breaker.ts'
import { pastOutageInWords } from './outage-in-words.ts'

/** What held all deliveries back: an operator, or a trip for that cause. */
export type HoldKind = 'pause' | TripCause

/** A while in which deliveries were held back, by whichever process. Times are epoch milliseconds. */
export interface Hold {
  readonly kind: HoldKind
  /** An operator's words; of a trip what the distributor said last, such as `HTTP 503`. */
  readonly reason: string
  readonly since: number
  /**
   * From when on it held deliveries back: an outage is noticed some failed attempts after it began. Null where a version
   * before this one has noted it.
   */
  readonly heldFrom: number | null
  /** Null while it lasts, and where nobody noted its end. */
  readonly until: number | null
  readonly isOpen: boolean
  /** Operators' addresses, or the system's names for its users; null where nobody did, or may not be named. */
  readonly begunBy: string | null
  readonly endedBy: string | null
  /** The words of who ended it. */
  readonly endReason: string | null
}

const inWords: Readonly<Record<HoldKind, (reason: string) => string>> = {
  pause: () => 'deliveries were paused',
  outage: pastOutageInWords,
  refused: () => 'the distributor took none',
}

/** `deliveries were paused by ada@example.edu (their maintenance)`. */
export function holdInWords({
  kind,
  reason,
  begunBy,
}: Pick<Hold, 'kind' | 'reason' | 'begunBy'>): string {
  const by = kind === 'pause' ? ` by ${begunBy ?? 'an operator'}` : ''
  return `${inWords[kind](reason)}${by}${reason === '' ? '' : ` (${reason})`}`
}
