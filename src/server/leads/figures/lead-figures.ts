import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { ComparedDay } from './compared-days.ts'

/** `owed` stands for pending and leased. */
export type CountedStatus = Exclude<LeadStatus, 'pending' | 'leased'> | 'owed'

/** What lists know of, which follow within a second. */
export interface LeadFigures {
  /** Received on each of the days that were asked for, in their order. */
  readonly days: readonly DayCount[]
  /** Of those received on the first of the days, by how they stand now. */
  readonly byStatus: Readonly<Record<CountedStatus, number>>
  /** When the first lead of all was received, and the first of those that wait for an operator. Epoch milliseconds. */
  readonly first: Readonly<Record<'lead' | 'dead' | 'quarantined', number | undefined>>
  /** When the delivery that is due first became so, or will: a retry makes an old lead's due anew. Epoch milliseconds. */
  readonly firstDue: number | undefined
  /** Those that came back with a backup and may have been delivered since, 10,000 at most; and when the latest was restored. */
  readonly inDoubt: { readonly count: number; readonly restoredAt: number | undefined }
}

export interface DayCount {
  readonly soFar: number
  readonly whole: number
}

export type ReadFigures = (days: readonly ComparedDay[]) => Promise<LeadFigures>
