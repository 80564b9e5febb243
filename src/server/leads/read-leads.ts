import type { Signal } from '#domain/abuse/signals.ts'
import type { Area } from '#domain/area.ts'
import type { Ending, Settlement } from '#domain/delivery/delivery.ts'
import type { AttemptReason, OutcomeName } from '#domain/delivery/outcome.ts'
import type { ErasedBy, ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'

export interface LeadSummary {
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly area: Area
  /** Empty once erased, as is the email; and where it cannot be read, as may be the program's. */
  readonly name: string
  readonly email: string
  readonly programName: string
  /** Its content cannot be read: see `UnreadableLead`. */
  readonly isUnreadable: boolean
  readonly status: LeadStatus
  readonly attempts: number
  /** The signs of abuse when it came. */
  readonly signals: readonly Signal[]
  /** As in {@link LeadRecord}. */
  readonly corrects: string | null
  readonly correctedBy: readonly string[]
}

export interface AttemptRecord {
  /** From 1. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: OutcomeName
  readonly httpStatus: number | null
  readonly reason: AttemptReason | null
  /** The system's name for why nothing came, such as ECONNREFUSED. */
  readonly code: string | null
  readonly retryAfterMs: number | null
  /** The distributor's response, which may quote the lead; null once the lead is erased. */
  readonly said: string | null
}

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

export interface LeadStats {
  readonly leads: number
  readonly byStatus: Readonly<Record<LeadStatus, number>>
  /** Of the rejected: those that the distributor may take once its month is over. */
  readonly rejectedByCap: number
  /** Of the dead: those that were not sent, as what is stored of them cannot be read. */
  readonly unreadable: number
  /** Of the erased: those that the distributor had taken before. */
  readonly deliveredThenErased: number
  /** All the erased, by what they were erased for. */
  readonly erasedBy: Readonly<Record<ErasedBy, number>>
  readonly attempts: number
  /** A name that is absent counts none. */
  readonly attemptsByOutcome: Readonly<Partial<Record<OutcomeName, number>>>
  /** Attempts that followed one whose fate is unknown: how many leads too many the distributor may hold. */
  readonly duplicatesPossiblySent: number
  /** Age of the oldest delivery that waits, in milliseconds; null where none waits. */
  readonly oldestPendingAgeMs: number | null
}

export interface LeadChoice {
  /** Derived at `now`. */
  readonly status?: LeadStatus | undefined
  readonly area?: Area | undefined
  /** One at least. */
  readonly ids?: readonly string[] | undefined
  /**
   * Whether it may have been delivered since the restored backup and its delivery is still open.
   */
  readonly isRestored?: boolean | undefined
  /** Whether it is dead because what is stored of it cannot be read. */
  readonly isUnreadable?: boolean | undefined
  /** Epoch milliseconds: received then or later. */
  readonly since?: number | undefined
  /** Epoch milliseconds: received before then. */
  readonly until?: number | undefined
}

export interface LeadArchive {
  /** Newest first; after the lead `before`, where that is given. */
  list(
    query: LeadChoice & {
      readonly now: number
      readonly before?: string | undefined
      readonly take: number
    },
  ): Promise<readonly LeadSummary[]>
  find(id: string, now: number): Promise<LeadDetails | undefined>
  /** The ids of the leads that repeat it, the first first, at most `take`. */
  repetitionsOf(id: string, take: number): Promise<readonly string[]>
  /** Whom a lead is credited to; undefined where there is no such lead. */
  affiliateOf(id: string): Promise<{ readonly subId: string | undefined } | undefined>
  stats(now: number): Promise<LeadStats>
  /** Their number, which a search waits for; without erased leads. */
  countUnreadable(): Promise<number>
}
