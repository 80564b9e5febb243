import type { Kysely } from 'kysely'
import type { StoreUnavailableError } from './faults/store-unavailable-error.ts'
import type { Locking } from './locking.ts'
import type { RunningServer } from './running-server.ts'
import type { RunWork } from './store-work.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** `wipe again`: another connection was in the way. */
export type WipedBytes = 'wiped' | 'wipe again' | 'left to the database'

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
  /** Runs a function next to the database: see store-work.ts. */
  readonly run: RunWork
  readonly locking: Locking
  /** One that nobody has migrated lacks them all; one of a version before some. */
  hasTable(name: keyof StoreTables): Promise<boolean>
  /** Who has it open at this moment. */
  servers(): Promise<readonly RunningServer[]>
  /** Resolves, where that is ever found while it is open, with words for an operator: its file is damaged. */
  readonly damaged: Promise<StoreUnavailableError>
  /** Brings the schema up to date, however long that takes. */
  migrate(): Promise<void>
  /** Rejects where nothing can be written just now. */
  assertWritable(): Promise<void>
  /** Removes from the files what the tables no longer hold. */
  wipe(): Promise<WipedBytes>
  close(): Promise<void>
}
