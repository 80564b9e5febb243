import type { AttemptReason, OutcomeName } from '#domain/delivery/outcome.ts'
import type { LeadRecord } from '../read-leads.ts'

export type ExportedLead = LeadRecord<{
  readonly attempts: number
  readonly lastOutcome: OutcomeName | null
  /** Our word for why the last attempt did not deliver; null where none is known. */
  readonly lastReason: AttemptReason | null
  /** What the distributor wrote in answer to the last attempt, in its own words; null where it wrote nothing. */
  readonly lastResponse: string | null
}>
