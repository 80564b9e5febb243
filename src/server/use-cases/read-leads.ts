import type { DeliveryStatus } from '#domain/delivery/delivery.ts'
import type { OutcomeName } from '#domain/delivery/outcome.ts'
import type { Lead } from '#domain/lead/lead.ts'

/** A lead's standing: its delivery's, or `duplicate` where it owes none (ruling 18). */
export type LeadStatus = DeliveryStatus | 'duplicate'

export const leadStatuses: readonly LeadStatus[] = [
  'pending',
  'leased',
  'delivered',
  'rejected',
  'dead',
  'duplicate',
]

export interface LeadSummary {
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly area: Lead['area']
  readonly name: string
  readonly email: string
  readonly programName: string
  readonly status: LeadStatus
  readonly attempts: number
}

export interface AttemptRecord {
  /** From 1. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: OutcomeName
  readonly httpStatus: number | null
  /** What the outcome said, without personal data. */
  readonly detail: string | null
}

export interface LeadDetails {
  readonly lead: Lead
  readonly status: LeadStatus
  readonly duplicateOf: string | null
  /** Null where the lead owes no delivery. */
  readonly delivery: {
    readonly id: string
    /** Epoch milliseconds of the next attempt; null once settled. */
    readonly nextAttemptAt: number | null
    readonly settledAt: number | null
    readonly attempts: readonly AttemptRecord[]
  } | null
}

export interface LeadStats {
  readonly leads: number
  readonly byStatus: Readonly<Record<LeadStatus, number>>
  readonly attempts: number
  /** Age of the oldest delivery that waits, in milliseconds; null where none waits. */
  readonly oldestPendingAgeMs: number | null
}

export interface LeadArchive {
  /** Newest first. `status` is derived at `now`. */
  list(query: {
    readonly now: number
    readonly status?: LeadStatus
    readonly skip: number
    readonly take: number
  }): Promise<readonly LeadSummary[]>
  find(id: string, now: number): Promise<LeadDetails | undefined>
  stats(now: number): Promise<LeadStats>
}
