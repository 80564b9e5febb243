import type { Settlement } from '#domain/delivery/delivery.ts'
import type { OutcomeName } from '#domain/delivery/outcome.ts'
import type { ErasedLead, Lead } from '#domain/lead/lead.ts'
import type { LeadStatus } from './read-leads.ts'

export interface ExportedLead {
  readonly lead: Lead | ErasedLead
  readonly status: LeadStatus
  readonly duplicateOf: string | null
  /** Null where the lead owes none. Times are epoch milliseconds. */
  readonly delivery: {
    readonly id: string
    readonly settledAs: Settlement | null
    readonly settledAt: number | null
    readonly nextAttemptAt: number | null
    readonly attempts: number
    readonly lastOutcome: OutcomeName | null
  } | null
}
