import type { DeliveryStatus } from '#domain/delivery/delivery.ts'
import type { Unreadable } from '#domain/lead/lead.ts'

/** What became of the wish to try one lead's delivery again. */
export type RetryOutcome =
  /** It is due now, with a new schedule; its attempts are kept. */
  | { readonly kind: 'due'; readonly was: DeliveryStatus }
  /** A worker has it at this moment. */
  | { readonly kind: 'leased' }
  | { readonly kind: 'delivered' }
  /** It owes no delivery: the lead that it repeats does (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string | null }
  /** Its person has enquired again since it ended, and that lead counts now: this one would be sent beside it. */
  | { readonly kind: 'overtaken'; readonly by: string }
  /** It owes none until it is released. */
  | { readonly kind: 'quarantined' }
  /** There is nothing left to send. */
  | { readonly kind: 'erased' }
  /** It is dead because it cannot be read, and still cannot. */
  | ({ readonly kind: 'unreadable' } & Unreadable)
  | { readonly kind: 'unknown' }

export interface DeliveryRetries {
  /** @param now epoch milliseconds */
  retry(leadId: string, now: number): Promise<RetryOutcome>
}
