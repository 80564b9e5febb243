import type { DeliveryStatus, SettledByHand } from '#domain/delivery/delivery.ts'

/** What became of the wish to settle one lead's delivery by hand. */
export type SettleOutcome =
  | { readonly kind: 'settled'; readonly was: DeliveryStatus }
  /** A worker has it at this moment. */
  | { readonly kind: 'leased' }
  /** The distributor has it: nothing that is said since takes it back. */
  | { readonly kind: 'delivered' }
  | { readonly kind: 'rejected' }
  /** It owes no delivery: the lead that it repeats does (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string | null }
  /** It owes none until it is released. */
  | { readonly kind: 'quarantined' }
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }

/** What a person knows of deliveries that the store does not. Times are epoch milliseconds. */
export interface DeliverySettling {
  settle(leadId: string, as: SettledByHand, now: number): Promise<SettleOutcome>
  /**
   * Says of every delivery that is owed that it may have been made: the store was restored from a backup, which knows
   * nothing of what was sent since. Sent again it counts as a duplicate that was possibly sent.
   * @returns how many that are, those of an earlier restore included
   */
  doubtAll(now: number): Promise<number>
}
