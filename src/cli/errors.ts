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
export class NotDoneError extends Error {
  override readonly name = 'NotDoneError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.notDone, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

const undoneNote = 'The command’s unfinished step was undone; its finished steps remain.'

/** SQLite's primary error codes that an operator can act on (https://sqlite.org/rescode.html). */
const sqliteFaults: Readonly<Record<string, { words: string; exitCode?: number }>> = {
  SQLITE_BUSY: {
    words: `Another process keeps the store locked (SQLITE_BUSY). ${undoneNote} Find the process that holds it, and run this again.`,
  },
  SQLITE_READONLY: {
    words: `The store cannot be written (SQLITE_READONLY): its file or its disk is read-only for this user. ${undoneNote}`,
  },
  SQLITE_IOERR: {
    words: `The disk cannot read or write the store (SQLITE_IOERR). ${undoneNote} See docs/runbook.md, “Leads are not stored”.`,
  },
  SQLITE_CORRUPT: {
    words:
      'The store is damaged (SQLITE_CORRUPT), so a report could be wrong. Stop the server, copy the folder, then follow ' +
      'docs/runbook.md, “Leads are not stored”.',
  },
  SQLITE_FULL: {
    words: `The disk of the store is full (SQLITE_FULL). ${undoneNote} Make room, and run this again.`,
    exitCode: exitCodes.notDone,
  },
  SQLITE_NOTADB: {
    words: 'leads.sqlite is no SQLite database (SQLITE_NOTADB). Check DATA_DIR.',
  },
}

/** A sentence that explains why a command failed; the error itself if the fault is in our code. */
export function describeFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof NotDoneError) return error
  const { words, exitCode = exitCodes.unavailable } = faultOf(error) ?? {}
  return words === undefined ? error : new NotDoneError(words, exitCode, { cause: error })
}

function faultOf(error: Error) {
  const name = sqliteCodeName(error)
  if (name !== undefined) return sqliteFaults[name]
  if (error instanceof StoreUnavailableError) return { words: error.message }
  if (!isPostgresAway(error)) return undefined
  return {
    words:
      `PostgreSQL does not answer any more (${systemMessage(error)}). Finished steps remain; whether the last step was done ` +
      'is unknown. Run this again when it answers: nothing is done twice.',
  }
}
