import type { Kysely } from 'kysely'
import type { StoreUnavailableError } from '../faults/database-errors.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** `wipe again`: another connection was in the way. */
export type WipedBytes = 'wiped' | 'wipe again' | 'left to the database'

/** What a transaction locks: on SQLite the whole file, on PostgreSQL rows, so that several connections claim at once. */
export type Locking = 'rows' | 'file'

/** The interface that both databases share. */
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
  /** A store never migrated lacks them all; one of an earlier version lacks some. */
  hasTable(name: keyof StoreTables): Promise<boolean>
  /** The processes that have it open now. */
  servers(): Promise<readonly RunningServer[]>
  /** Resolves, where that is ever found while it is open, with words for an operator: its file is damaged. */
  readonly damaged: Promise<StoreUnavailableError>
  /** Brings the schema up to date, however long that takes. */
  migrate(): Promise<void>
  /** Rejects if the store cannot be written at the moment. */
  assertWritable(): Promise<void>
  /** Removes from the files what the tables no longer hold. */
  wipe(): Promise<WipedBytes>
  close(): Promise<void>
}

/**
 * A function that runs next to the database: in the writer thread on SQLite, where each of its statements would otherwise be
 * a message to that thread, and in this process on PostgreSQL. `src/server/start/sqlite-thread.ts` lists them all.
 * Arguments and results are plain data, as they are cloned on their way to the thread and back.
 */
export interface StoreWork<Argument, Result> {
  readonly name: string
  readonly run: (db: Kysely<StoreTables>, argument: Argument, locking: Locking) => Promise<Result>
  /** A visitor waits for it, so it goes before all other waiting writes. */
  readonly isUrgent?: boolean
  /** It may look at many rows: PostgreSQL gets longer to answer. */
  readonly isSlow?: boolean
}

/** Runs a function next to the database; the list of those is in the thread's entry. */
export type RunWork = <Argument, Result>(
  work: StoreWork<Argument, Result>,
  argument: Argument,
) => Promise<Result>

/** A server that has a store open. */
export interface RunningServer {
  /** As in `serverName`; undefined if the process does not say, as in earlier versions. */
  readonly name: string | undefined
  /** Epoch milliseconds; undefined where only the server itself knows. */
  readonly since: number | undefined
}

/** A server's name in the list of a store's users: `worker, process 812 on alpha`. */
export const serverName = (role: string, pid: number, host: string): string =>
  `${role}, process ${pid} on ${host}`

/** For a sentence: `worker, process 812 on alpha, since 2026-11-22T12:00:00.000Z`. */
export function describeServer({ name = 'a server', since }: RunningServer): string {
  return since === undefined ? name : `${name}, since ${new Date(since).toISOString()}`
}
