import type { DeliveryStatus } from '#domain/delivery/delivery.ts'
import type { Lead, Unreadable } from '#domain/lead/lead.ts'

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

/** Deliveries that ended without success; those of erased leads are never among them. */
export type EndedDeliveries = 'dead' | 'rejected by cap'

/** The lead at which a batch ended: the next one begins after it. */
export type RetryPlace = Pick<Lead, 'id' | 'receivedAt'>

/** How many are due now, and how many stay as they are: see `overtaken` and `unreadable`. */
export interface RetryCounts {
  readonly due: number
  readonly overtaken: number
  readonly unreadable: number
}

export interface DeliveryRetries {
  /** @param now epoch milliseconds */
  retry(leadId: string, now: number): Promise<RetryOutcome>
  /** Makes at most `limit` of them due, the oldest lead first. `end` is undefined where there are no more. */
  retryEnded(batch: {
    readonly which: EndedDeliveries
    readonly now: number
    readonly after: RetryPlace | undefined
    readonly limit: number
  }): Promise<RetryCounts & { readonly end: RetryPlace | undefined }>
}

/** An enquiry that comes meanwhile waits for one batch at most. */
const batchSize = 500

/** Makes every delivery that ended so due at once. One that ends again meanwhile is not taken twice. */
export async function retryAllEnded(
  retries: DeliveryRetries,
  which: EndedDeliveries,
  clock: () => number,
  onProgress: (done: number) => void = () => undefined,
): Promise<RetryCounts> {
  let [due, overtaken, unreadable] = [0, 0, 0]
  let after: RetryPlace | undefined
  do {
    const batch = await retries.retryEnded({ which, now: clock(), after, limit: batchSize })
    due += batch.due
    overtaken += batch.overtaken
    unreadable += batch.unreadable
    after = batch.end
    onProgress(due + overtaken + unreadable)
  } while (after !== undefined)
  return { due, overtaken, unreadable }
}
