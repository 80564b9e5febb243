import type { Selectable } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { FoundLead, LeadPlace } from '../list/lead-finder.ts'

export type IndexRow = Selectable<StoreTables['lead_index']>

export const placeOf = (row: Pick<IndexRow, 'lead_id' | 'received_at'>): LeadPlace => ({
  id: row.lead_id,
  receivedAt: row.received_at,
})

export const toFoundLead = (row: IndexRow): FoundLead => ({
  ...placeOf(row),
  affiliate: row.affiliate,
  state: row.state,
  isVerified: row.verified === null ? null : row.verified === 1,
  error: row.error,
})
