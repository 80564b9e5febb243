import type { ProbeKind } from '#domain/delivery/breaker.ts'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type { Lead, Unreadable } from '#domain/lead/lead.ts'
import type { SendResult } from './send-result.ts'

/** A delivery that this worker holds the lease of. */
export interface ClaimedDelivery {
  readonly id: string
  /** Fences the settlement: another worker's claim replaces it. */
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leasedUntil: number
  /** Earlier attempts. */
  readonly attemptsBefore: number
  /** Those of them that spent the retry schedule. */
  readonly triesSpent: number
  readonly lead: Lead
  /** If the breaker let it through alone. */
  readonly probe?: ProbeKind
}

/** A delivery that was claimed and cannot be made. */
export interface UnreadableClaim extends Unreadable {
  readonly leadId: string
}

export interface RecordedAttempt extends SendResult {
  /** A UUID: the same attempt recorded again changes nothing. */
  readonly id: string
  readonly deliveryId: string
  readonly lease: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly next: AfterAttempt
}

/** Times are epoch milliseconds. */
export type AfterAttempt =
  | { readonly settledAs: Settlement; readonly at: number }
  /** `schedule`: our own wait, which the end of a trip cuts short. `distributor`: the time that it named. */
  | {
      readonly retryAt: number
      readonly setBy: 'schedule' | 'distributor'
      /** Without it, a try of the schedule. */
      readonly spends?: 'nothing'
    }
  /** The attempt says nothing of the lead: it is due as before, and has spent nothing the first times: see `mostUncounted`. */
  | { readonly dueAgain: true }

export interface Claim {
  readonly now: number
  readonly leaseUntil: number
  /**
   * Hears of what cannot be read. It is not among what was claimed: where it is damaged its delivery is dead; where a newer
   * release has written it, it is due again when the lease would have ended, for a worker that can.
   */
  readonly onUnreadable?: (claim: UnreadableClaim) => void
}

export interface DeliveryQueue {
  /**
   * Takes at most `limit` due deliveries, oldest due first, and leases them until `leaseUntil`. One whose lease ran out
   * first gets an `unknown` attempt: whoever had it may have sent it.
   */
  claimDue(claim: Claim & { readonly limit: number }): Promise<readonly ClaimedDelivery[]>
  /**
   * Takes the right to the breaker's next probe and a delivery for it, both or neither: one that is due and has not
   * failed since it opened; where there is none, after a while, the one that failed the longest ago. However many
   * workers ask, one probe is under way at a time, until it has failed or its lease has run out.
   */
  claimProbe(claim: Claim): Promise<ClaimedDelivery | undefined>
  /**
   * Writes the attempt and what follows from it in one transaction. False where the lease was lost meanwhile: the
   * attempt is written all the same, and only a `delivered` still settles the delivery, as that is a fact.
   */
  record(attempt: RecordedAttempt): Promise<boolean>
  /** Gives leases back unused, so that another worker can claim at once. Where it rejects, the next claim does it first. */
  release(deliveries: readonly ClaimedDelivery[]): Promise<void>
  /**
   * The same for those of claims and releases that nobody heard the end of.
   * @returns false where a claim may take effect even now
   */
  returnLeases(now: number): Promise<boolean>
}
