import type { Signal } from '#domain/abuse/signals.ts'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { Ending, Settlement, WaitingPeriod } from '#domain/delivery/delivery.ts'
import type { Hold } from '#domain/delivery/hold.ts'
import type { AttemptRecord } from '#domain/delivery/outcome.ts'
import type { ErasedLead, Lead, UnreadableLead } from './lead.ts'
import type { LeadStatus, ShownStatus } from './lead-status.ts'

/** A lead's delivery and its state. Times are epoch milliseconds. */
export interface OwedDelivery {
  readonly id: string
  readonly settledAs: Settlement | null
  readonly settledAt: number | null
  /** An operator has settled it, and not the distributor's answer. */
  readonly isSettledByHand: boolean
  /**
   * When a backup with its open delivery was restored: it may have been delivered between backup
   * and restore. Else null.
   */
  readonly restoredAt: number | null
  /** Null once settled. */
  readonly nextAttemptAt: number | null
}

export interface LeadRecord<More> {
  readonly lead: Lead | ErasedLead | UnreadableLead
  readonly status: LeadStatus
  /** The id of the lead that it repeats. */
  readonly duplicateOf: string | null
  /** The id of the lead that its visitor sent first and then changed (reading 23); never itself one that corrects. */
  readonly corrects: string | null
  /** The ids of those that correct this one, the first first. */
  readonly correctedBy: readonly string[]
  /** The signs of abuse when it came. */
  readonly signals: readonly Signal[]
  /** Epoch milliseconds; null where it never was in quarantine, or has not been let out of it. */
  readonly quarantinedAt: number | null
  readonly releasedAt: number | null
  /** Null for a lead without a delivery. */
  readonly delivery: (OwedDelivery & More) | null
}

export type LeadDetails = LeadRecord<{
  readonly attempts: readonly AttemptRecord[]
  /** How it had ended before it was owed again, the first first. */
  readonly endings: readonly Ending[]
}>

/** A request's body as the distributor's client makes it. */
export interface SentBody {
  readonly contentType: string
  readonly body: string
}

export interface LeadView {
  /** Unless the lead is revealed, its person and the body are masked and the distributor's responses are hidden. */
  readonly record: ShownDetails
  readonly isRevealed: boolean
  /** Undefined where nothing is left to send, or what is cannot be read. */
  readonly sent: SentBody | undefined
  /** The first ones of the leads that repeat it. */
  readonly repeatedBy: readonly string[]
  readonly breaker: BreakerState
  /**
   * The operators' actions on it, newest first; empty for an operator who may not see the audit
   * log.
   */
  readonly acts: readonly LeadAct[]
  /** The jobs' results for it, with the same restriction. */
  readonly jobActs: readonly LeadJobAct[]
  /** The periods in which it waited, oldest first. */
  readonly owed: readonly WaitingPeriod[]
  /** The holds of all deliveries while it was waiting, oldest first. */
  readonly holds: readonly Hold[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** A lead as an operator of some role sees it. */
export type ShownDetails = Omit<LeadDetails, 'status'> & { readonly status: ShownStatus }

/** An operator's action on a lead, as the audit log has it. */
export interface LeadAct {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly who: string
  readonly via: string
  readonly action: string
  readonly reason: string | null
  /** Null if its process stopped before it was recorded. */
  readonly outcome: string | null
}

/** A job's result for a lead. */
export interface LeadJobAct {
  readonly jobId: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly who: string
  readonly action: string
  readonly reason: string | null
  /** In words. */
  readonly result: string
}
