import type { AbuseSignal } from '#domain/abuse/signals.ts'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type { AttemptRecord } from '#domain/delivery/outcome.ts'
import type { LeadJobResult } from '#domain/job/job.ts'
import type { LeadNotification } from '../notifications/notification.ts'
import type { ErasedLead, Lead, UnreadableLead } from './lead.ts'
import type { LeadStatus, VisibleStatus } from './lead-status.ts'

/** The state of a lead's delivery. Times are epoch milliseconds. */
export interface DeliveryState {
  readonly id: string
  readonly settledAs: Settlement | null
  readonly settledAt: number | null
  /** True if an operator settled the delivery by hand; false if the distributor's answer settled it. */
  readonly isSettledByHand: boolean
  /**
   * When a backup that contained this open delivery was restored; null without a restore. Between backup and restore,
   * the distributor may have received the lead.
   */
  readonly restoredAt: number | null
  /** The time of the next attempt; null once the delivery is settled. */
  readonly nextAttemptAt: number | null
  /** Why a cap holds the delivery until `nextAttemptAt`; null if no cap holds it. */
  readonly held: { readonly because: string; readonly capId: string } | null
}

export interface LeadWithDelivery<More> {
  readonly lead: Lead | ErasedLead | UnreadableLead
  readonly status: LeadStatus
  readonly duplicateOf: string | null
  /** If the lead is a correction, the id of the first lead under the same idempotency key (reading 23). */
  readonly corrects: string | null
  /** The ids of the leads that correct the lead, oldest first. */
  readonly correctedBy: readonly string[]
  readonly signals: readonly AbuseSignal[]
  /** When the lead was quarantined, and when an operator released it, in epoch milliseconds; null if never. */
  readonly quarantinedAt: number | null
  readonly releasedAt: number | null
  readonly delivery: (DeliveryState & More) | null
  /** When and why the distributor took back the accepted lead; the reason is null if it is unknown or erased. */
  readonly returned: { readonly at: number; readonly reason: string | null } | null
}

export type LeadDetails = LeadWithDelivery<{
  readonly attempts: readonly AttemptRecord[]
  readonly notifications: readonly LeadNotification[]
  /** Why no affiliate got a postback about the distributor's answer; undefined if one did, or if there is no answer. */
  readonly noPostback: string | undefined
}>

/** The request to the distributor as we send it. */
export interface RequestPreview {
  readonly contentType: string
  readonly body: string
}

export interface LeadView {
  /** Until an operator reveals the lead, its personal data are masked, and the distributor's responses are hidden. */
  readonly record: VisibleLeadDetails
  readonly isRevealed: boolean
  /** Undefined if the lead has been erased or the stored lead cannot be read. */
  readonly requestPreview: RequestPreview | undefined
  /** The ids of the lead's oldest duplicates, up to a limit. */
  readonly repeatedBy: readonly string[]
  readonly breaker: BreakerState
  /** What operators did with the lead, newest first; empty for an operator who may not see the audit log. */
  readonly auditEntries: readonly LeadAuditEntry[]
  /** What jobs did with the lead; empty for an operator who may not see the audit log. */
  readonly jobResults: readonly VisibleJobResult[]
  /** The current time in epoch milliseconds. */
  readonly now: number
}

export type VisibleLeadDetails = Omit<LeadDetails, 'status'> & { readonly status: VisibleStatus }

export interface LeadAuditEntry {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly who: string
  readonly via: string
  readonly action: string
  readonly reason: string | null
  /** The outcome of the action; null if the process stopped before it recorded the outcome. */
  readonly outcome: string | null
}
export type VisibleJobResult = Omit<LeadJobResult, 'outcome'> & { readonly result: string }
