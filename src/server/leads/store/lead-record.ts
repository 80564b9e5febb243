import type { Selectable } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadRecord, OwedDelivery } from '../read-leads.ts'
import type { Corrections } from './find-corrections.ts'
import { toStoredLead } from './lead-row.ts'
import { leadStatus, readSignals, statusColumns } from './lead-status.ts'

/** What a record is made of, where `leads` is joined with `deliveries`. */
export const recordColumns = [
  ...statusColumns,
  'leads.signals',
  'deliveries.next_at',
  'deliveries.settled_at',
  'deliveries.settled_by_hand_at',
  'deliveries.restored_at',
] as const

type Row = Parameters<typeof toStoredLead>[0] &
  Parameters<typeof leadStatus>[0] &
  Pick<Selectable<StoreTables['leads']>, 'duplicate_of' | 'corrects' | 'signals'> & {
    readonly [Column in 'next_at' | 'settled_at' | 'settled_by_hand_at' | 'restored_at']:
      | Selectable<StoreTables['deliveries']>[Column]
      | null
  }

interface Reading {
  /** Epoch milliseconds. */
  readonly now: number
  readonly corrections: Corrections
}

/** @param more what is to be said of its delivery beside how it stands */
export const toRecord = <More>(
  row: Row,
  { now, corrections }: Reading,
  more: More,
): LeadRecord<More> => ({
  lead: toStoredLead(row),
  status: leadStatus(row, now),
  duplicateOf: row.duplicate_of,
  corrects: row.corrects,
  correctedBy: corrections.get(row.lead_id) ?? [],
  signals: readSignals(row.signals),
  quarantinedAt: row.quarantined_at,
  releasedAt: row.released_at,
  delivery: row.delivery_id === null ? null : { ...owed(row, row.delivery_id), ...more },
})

const owed = (row: Row, id: string): OwedDelivery => ({
  id,
  settledAs: row.settled_as,
  settledAt: row.settled_at,
  isSettledByHand: row.settled_at !== null && row.settled_at === row.settled_by_hand_at,
  restoredAt: row.restored_at,
  nextAttemptAt: row.settled_as === null ? row.next_at : null,
})
