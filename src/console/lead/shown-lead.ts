import type { Signal } from '#domain/abuse/signals.ts'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { Ending, Settlement, Stretch } from '#domain/delivery/delivery.ts'
import type { Hold } from '#domain/delivery/hold.ts'
import type { AttemptRecord } from '#domain/delivery/outcome.ts'
import type { JobAct } from '#domain/job/job.ts'
import type { ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'

/** A lead and all that happened to it; masked unless it is revealed. Times are epoch milliseconds. */
export interface ShownLead {
  readonly record: ShownRecord
  readonly isRevealed: boolean
  readonly sent: { readonly contentType: string; readonly body: string } | undefined
  readonly repeatedBy: readonly string[]
  readonly breaker: BreakerState
  readonly acts: readonly ShownAct[]
  readonly jobActs: readonly JobAct[]
  /**
   * The periods in which it waited, oldest first; and the holds of deliveries meanwhile, oldest
   * first.
   */
  readonly owed: readonly Stretch[]
  readonly holds: readonly Hold[]
  readonly now: number
}

export interface ShownRecord {
  readonly lead: Lead | ErasedLead | UnreadableLead
  readonly status: string
  readonly duplicateOf: string | null
  readonly corrects: string | null
  readonly correctedBy: readonly string[]
  readonly signals: readonly Signal[]
  readonly quarantinedAt: number | null
  readonly releasedAt: number | null
  readonly delivery: ShownDelivery | null
}

export interface ShownDelivery {
  readonly settledAs: Settlement | null
  readonly settledAt: number | null
  readonly isSettledByHand: boolean
  readonly restoredAt: number | null
  readonly nextAttemptAt: number | null
  readonly attempts: readonly AttemptRecord[]
  /** Its earlier ends before it was reopened, oldest first. */
  readonly endings: readonly Ending[]
}

export interface ShownAct {
  readonly id: string
  readonly at: number
  readonly who: string
  readonly via: string
  readonly action: string
  readonly reason: string | null
  readonly outcome: string | null
}
