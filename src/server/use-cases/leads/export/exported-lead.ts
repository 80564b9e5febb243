import type { OutcomeName } from '#domain/delivery/outcome.ts'
import type { LeadRecord } from '../read-leads.ts'

export type ExportedLead = LeadRecord<{
  readonly attempts: number
  readonly lastOutcome: OutcomeName | null
}>
