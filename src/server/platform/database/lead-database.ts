import type { Kysely } from 'kysely'
import type { StoreUnavailableError } from '../faults/database-errors.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** `wipe again`: another connection blocked the wipe. */
export type WipeResult = 'wiped' | 'wipe again' | 'left to the database'

export interface LeadDatabase {
  /** The file's path, or host, port and database: the parts of an address that a log may show. */
  readonly place: string
  readonly db: Kysely<StoreTables>
  /** Runs the start's statements: migrations, which may take minutes, and the check that the leads were not moved. */
  readonly migrationDb: Kysely<StoreTables>
  /** Runs statements that may read a million rows, with a longer timeout on PostgreSQL. */
  readonly longQueryDb: Kysely<StoreTables>
  /**
   * Runs the console's queries. A query is stopped after `queryLimitMs` with a `QueryTooLongError`, and delays no
   * enquiry or delivery.
   */
  readonly consoleDb: Kysely<StoreTables>
  readonly run: RunTask
  hasTable(name: keyof StoreTables): Promise<boolean>
  servers(): Promise<readonly RunningServer[]>
  /** Resolves with a message for the operator if a damaged file is found while it is open. */
  readonly damaged: Promise<StoreUnavailableError>
  migrate(): Promise<void>
  /** Rejects if the store cannot be written at the moment. */
  assertWritable(): Promise<void>
  /** Removes deleted data from the database's files. */
  wipe(): Promise<WipeResult>
  close(): Promise<void>
}

/**
 * A function that runs next to the database: in the writer thread on SQLite, where each statement would otherwise be a
 * message to that thread, and in this process on PostgreSQL. `src/server/start/sqlite-thread.ts` lists every
 * `DatabaseTask`. Arguments and results are plain data, because they are cloned between threads.
 */
export interface DatabaseTask<Argument, Result> {
  readonly name: string
  readonly run: (db: Kysely<StoreTables>, argument: Argument) => Promise<Result>
  /** Slow work may read many rows, so it gets a longer timeout on PostgreSQL. */
  readonly isSlow?: boolean
}

export type RunTask = <Argument, Result>(
  work: DatabaseTask<Argument, Result>,
  argument: Argument,
) => Promise<Result>

export interface RunningServer {
  /** The name from `formatServerName`; undefined for a server of an earlier version, which reports none. */
  readonly name: string | undefined
  /** When the server started, in epoch milliseconds; undefined if only the server itself knows. */
  readonly since: number | undefined
}

/** Names a server in the list of a store's users: `worker, process 812 on alpha`. */
export const formatServerName = (role: string, pid: number, host: string): string =>
  `${role}, process ${pid} on ${host}`

/** Describes a server within a sentence: `worker, process 812 on alpha, since 2026-11-22T12:00:00.000Z`. */
export function describeServer({ name = 'a server', since }: RunningServer): string {
  return since === undefined ? name : `${name}, since ${new Date(since).toISOString()}`
}
