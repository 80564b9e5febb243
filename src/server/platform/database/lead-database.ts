import type { Kysely } from 'kysely'
import type { RecordedAttempt } from '#server/delivery/delivery-queue.ts'
import type { LeaseClaim } from '#server/delivery/store/claim-deliveries.ts'
import type { Claimed } from '#server/delivery/store/claim-due.ts'
import type { AcceptedLead, LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import type { Acted, JobStep } from '#server/jobs/job-store.ts'
import type { ErasedPerson } from '#server/leads/erase-person.ts'
import type { EraseOrder } from '#server/leads/store/erasure/erase-old-leads.ts'
import type { StoreUnavailableError } from './faults/store-unavailable-error.ts'
import type { Locking } from './locking.ts'
import type { RunningServer } from './running-server.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** What the two databases have in common. */
export interface LeadDatabase {
  /** The file's path, or host, port and database: what a log may hold of an address. */
  readonly place: string
  readonly db: Kysely<StoreTables>
  /** The same for statements that may have to look at a million rows: where that is known, it waits for longer. */
  readonly patient: Kysely<StoreTables>
  /**
   * The same for what an operator asks the console: a statement that reads is stopped after `queryLimitMs` with a
   * `QueryTooLongError` (see isQueryTooLong), and nothing else waits for it.
   */
  readonly bounded: Kysely<StoreTables>
  /** Stores it in one transaction with others that arrive at the time: see arrival-groups.ts. */
  storeArrival(arrival: LeadArrival): Promise<AcceptedLead>
  readonly locking: Locking
  /** See claim-due.ts. */
  claimDue(claim: LeaseClaim): Promise<Claimed>
  /** See record-attempts.ts. */
  recordAttempts(attempts: readonly RecordedAttempt[]): Promise<readonly boolean[]>
  /** One that nobody has migrated lacks them all; one of a version before some. */
  hasTable(name: keyof StoreTables): Promise<boolean>
  /** Who has it open at this moment. */
  servers(): Promise<readonly RunningServer[]>
  /** See erase-old-leads.ts. */
  eraseOldLeads(order: EraseOrder): Promise<number>
  /** See write-job-step.ts. */
  writeJobStep(step: JobStep): Promise<Acted | undefined>
  /** Resolves, where that is ever found while it is open, with words for an operator: its file is damaged. */
  readonly damaged: Promise<StoreUnavailableError>
  /** Brings the schema up to date, however long that takes. */
  migrate(): Promise<void>
  /** Rejects where nothing can be written just now. */
  assertWritable(): Promise<void>
  /** Removes from the files what the tables do not hold any more. */
  wipe(): Promise<ErasedPerson['bytes']>
  close(): Promise<void>
}
