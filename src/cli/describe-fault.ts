import {
  isPostgresAway,
  StoreUnavailableError,
  sqliteCodeName,
  systemMessage,
} from '#server/platform/faults/database-errors.ts'
import { exitCodes, NotDoneError } from './not-done-error.ts'

const undone =
  'What the verb was doing at that moment was undone; what it had finished before stays done.'

interface Fault {
  readonly words: string
  readonly exitCode: number
}

/** SQLite's primary results that an operator can do something about (https://sqlite.org/rescode.html). */
const sqliteFaults: Readonly<Record<string, Fault>> = {
  SQLITE_BUSY: {
    words: `Another process keeps the store locked (SQLITE_BUSY). ${undone} Find the process that holds it, and run this again.`,
    exitCode: exitCodes.unavailable,
  },
  SQLITE_READONLY: {
    words: `The store takes no writes (SQLITE_READONLY): its file or its disk is read-only for this user. ${undone}`,
    exitCode: exitCodes.unavailable,
  },
  SQLITE_IOERR: {
    words: `The disk does not read or write the store (SQLITE_IOERR). ${undone} docs/runbook.md, “Leads are not stored”.`,
    exitCode: exitCodes.unavailable,
  },
  SQLITE_CORRUPT: {
    words:
      'The store is damaged (SQLITE_CORRUPT): what this verb would say of it could be wrong. Stop the server, copy the ' +
      'folder, then docs/runbook.md, “Leads are not stored”.',
    exitCode: exitCodes.unavailable,
  },
  SQLITE_FULL: {
    words: `The disk of the store is full (SQLITE_FULL). ${undone} Make room, and run this again.`,
    exitCode: exitCodes.notDone,
  },
  SQLITE_NOTADB: {
    words: 'leads.sqlite is no SQLite database (SQLITE_NOTADB). Is DATA_DIR right?',
    exitCode: exitCodes.unavailable,
  },
}

/** A sentence that explains why a command failed; the error itself if the fault is in our code. */
export function describeFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof NotDoneError) return error
  const { words, exitCode } = faultFound(error) ?? {}
  return words === undefined ? error : new NotDoneError(words, exitCode, { cause: error })
}

function faultFound(error: Error): Fault | undefined {
  const name = sqliteCodeName(error)
  if (name !== undefined) return sqliteFaults[name]
  if (error instanceof StoreUnavailableError) {
    return { words: error.message, exitCode: exitCodes.unavailable }
  }
  if (!isPostgresAway(error)) return undefined
  return {
    words:
      `PostgreSQL does not answer any more (${systemMessage(error)}). What was finished before stays done; of the step that was ` +
      'under way that cannot be known. Run this again when it answers: what is done already is not done twice.',
    exitCode: exitCodes.unavailable,
  }
}
