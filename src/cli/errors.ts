import {
  isPostgresAway,
  StoreUnavailableError,
  sqliteCodeName,
  systemMessage,
} from '#server/platform/faults/database-errors.ts'

/** Exit codes other than 0, which means that the command's work is done. */
export const exitCodes = {
  /** The work was not done, and the message says why. */
  notDone: 1,
  /** The command line has an error. */
  usage: 2,
  /** EX_UNAVAILABLE and EX_CONFIG of sysexits.h. */
  unavailable: 69,
  configuration: 78,
  /** 128 + SIGINT, as shells report it. */
  interrupted: 130,
} as const

/** Ends a command with a message for the operator: what happened, what was kept and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.notDone, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** SQLite's primary error codes that an operator can act on (https://sqlite.org/rescode.html). */
const sqliteFaults: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'Another process keeps the store locked. Find that process, and run this again.',
  SQLITE_READONLY: 'The store’s file or its disk is read-only for this user.',
  SQLITE_IOERR: 'The disk cannot read or write the store.',
  SQLITE_CORRUPT:
    'The store is damaged, so a report could be wrong. Stop the server and copy the folder.',
  SQLITE_FULL: 'The disk of the store is full. Make room, and run this again.',
  SQLITE_NOTADB: 'leads.sqlite is not a SQLite database. Check DATA_DIR.',
}

/** A sentence that explains why a command failed; the error itself if the fault is in our code. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error
  const message = describeStoreError(error)
  if (message === undefined) return error
  const isFull = sqliteCodeName(error) === 'SQLITE_FULL'
  const exitCode = isFull ? exitCodes.notDone : exitCodes.unavailable
  return new CommandError(message, exitCode, { cause: error })
}

function describeStoreError(error: Error): string | undefined {
  const code = sqliteCodeName(error)
  const fault = code && sqliteFaults[code]
  if (fault) {
    return `${fault} (${code}) The command’s unfinished step was undone; its finished steps remain. See docs/runbook.md, “Leads are not stored”.`
  }
  if (error instanceof StoreUnavailableError) return error.message
  if (!isPostgresAway(error)) return undefined
  return (
    `PostgreSQL does not answer any more (${systemMessage(error)}). Finished steps remain; whether the last step was done ` +
    'is unknown. Run this again when it answers: nothing is done twice.'
  )
}
