import type { Kysely } from 'kysely'
import type { StoreUnavailableError } from '../faults/database-errors.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** `wipe again` means that another connection blocked the wipe. */
export type WipeResult = 'wiped' | 'wipe again' | 'left to the database'

export interface LeadDatabase {
  /** Where the leads are, as a log may show it: the file's path, or PostgreSQL's host, port and database. */
  readonly place: string
  readonly zone: string
  readonly db: Kysely<StoreTables>
  /** Runs migrations, which may take minutes, and the check at the start that the leads were not moved elsewhere. */
  readonly migrationDb: Kysely<StoreTables>
  /** Runs statements that may read a million rows, with a longer timeout on PostgreSQL. */
  readonly longQueryDb: Kysely<StoreTables>
  /**
   * Runs the console's queries without delaying enquiries and deliveries. A query is stopped after `queryLimitMs`, with
   * an error that `isQueryTooLong` recognizes.
   */
  readonly consoleDb: Kysely<StoreTables>
  readonly run: RunTask
  hasTable(name: keyof StoreTables): Promise<boolean>
  servers(): Promise<readonly RunningServer[]>
  /** Resolves with an error for the operator once SQLite finds its open file damaged. */
  readonly damaged: Promise<StoreUnavailableError>
  /** Resolves with an error for the operator once another file, or none, has the name of SQLite's open file. */
  readonly replaced: Promise<StoreUnavailableError>
  migrate(): Promise<void>
  /** Rejects if the store cannot be written at the moment. */
  assertWritable(): Promise<void>
  /** Reads PostgreSQL's clock, in epoch milliseconds; undefined on SQLite: see store-clock.ts. */
  readonly readTime?: () => Promise<number>
  /** Removes deleted data from the database's files. */
  wipe(): Promise<WipeResult>
  close(): Promise<void>
}

export type OpenedDatabase = Omit<LeadDatabase, 'zone'>

/**
 * A function on the database. On SQLite a task runs in the writer thread, because each statement from another thread
 * costs a message; on PostgreSQL a task runs in this process. Arguments and results are plain data, because threads
 * exchange copies. The list of all tasks is in `src/start/sqlite-thread.ts`.
 */
export interface DatabaseTask<Argument, Result> {
  readonly name: string
  readonly run: (db: Kysely<StoreTables>, argument: Argument) => Promise<Result>
  /** Whether the task may read many rows, and gets a longer timeout on PostgreSQL. */
  readonly isSlow?: boolean
}

export type RunTask = <Argument, Result>(
  work: DatabaseTask<Argument, Result>,
  argument: Argument,
) => Promise<Result>

export interface RunningServer {
  /** The name from `formatServerName`; undefined for an earlier version, which doesn't give its name. */
  readonly name: string | undefined
  /** When the server started, in epoch milliseconds; undefined on PostgreSQL, where other processes cannot read it. */
  readonly since: number | undefined
}

/** Formats the name under which other processes see a server, such as `worker, process 812 on alpha`. */
export const formatServerName = (role: string, pid: number, host: string): string =>
  `${role}, process ${pid} on ${host}`

/** Describes a server within a sentence, as in `worker, process 812 on alpha, since 2026-11-22T12:00:00.000Z`. */
export function describeServer({ name = 'a server', since }: RunningServer): string {
  return since === undefined ? name : `${name}, since ${new Date(since).toISOString()}`
}
