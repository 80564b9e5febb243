import type { AbuseSignal } from '#domain/abuse/signals.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Device } from '#domain/measuring/funnel.ts'

export interface LeadArrival {
  readonly lead: Lead
  readonly idempotencyKey: string
  /** SHA-256, in hex, of the data that makes two enquiries duplicates; see `makeDedupeKey`. */
  readonly dedupeKey: string
  readonly signals: readonly AbuseSignal[]
  /** True if the lead has no delivery until an operator releases it. */
  readonly isQuarantined: boolean
  /** The class of the visitor's device; null or absent if it is unknown. */
  readonly device?: Device | null
}
