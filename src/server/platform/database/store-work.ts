import type { Kysely } from 'kysely'
import type { Locking } from './locking.ts'
import type { StoreTables } from './tables/store-tables.ts'

/**
 * A function that runs next to the database: in the writer thread on SQLite, where each of its statements would otherwise be
 * a message to that thread, and in this process on PostgreSQL. `src/server/start/sqlite-thread.ts` lists them all.
 * Arguments and results are plain data, as they are cloned on their way to the thread and back.
 */
export interface StoreWork<Argument, Result> {
  readonly name: string
  readonly run: (db: Kysely<StoreTables>, argument: Argument, locking: Locking) => Promise<Result>
  /** A visitor waits for it, so it goes before whatever else waits to write. */
  readonly isUrgent?: boolean
  /** It may look at many rows: PostgreSQL gets longer to answer. */
  readonly isSlow?: boolean
}

/** Runs a function next to the database; the list of those is in the thread's entry. */
export type RunWork = <Argument, Result>(
  work: StoreWork<Argument, Result>,
  argument: Argument,
) => Promise<Result>
