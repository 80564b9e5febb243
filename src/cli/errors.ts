import { capitalize } from '#domain/text/formats.ts'
import { TooManyJobsError } from '#server/jobs/jobs.ts'
import {
  findSqliteCodeName,
  formatSystemError,
  isPostgresUnavailable,
  StoreUnavailableError,
} from '#server/platform/faults/database-errors.ts'
import { describeStoreFault } from '#server/platform/faults/sanitize-error.ts'

export const exitCodes = {
  /** The command did not finish its work, and its message says why. */
  notDone: 1,
  usage: 2,
  /** The codes `unavailable` and `configuration` are EX_UNAVAILABLE and EX_CONFIG of sysexits.h. */
  unavailable: 69,
  configuration: 78,
  /** Shells report 128 plus the number of the signal that ended a program; SIGINT (Ctrl+C) is 2. */
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

/** Turns an error of the store into a CommandError that explains it. Returns any other error unchanged. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error
  if (error instanceof TooManyJobsError) return new CommandError(error.message)
  const message = describeStoreError(error)
  if (message === undefined) return error
  const isFull = findSqliteCodeName(error) === 'SQLITE_FULL'
  const exitCode = isFull ? exitCodes.notDone : exitCodes.unavailable
  return new CommandError(message, exitCode, { cause: error })
}

function describeStoreError(error: Error): string | undefined {
  const code = findSqliteCodeName(error)
  const fault = code && describeStoreFault(error)
  if (fault) {
    return `${capitalize(fault)} (${code}). The command’s unfinished step was undone, and its finished steps were kept. See docs/runbook.md, “Leads are not stored”.`
  }
  if (error instanceof StoreUnavailableError) return error.message
  if (!isPostgresUnavailable(error)) return undefined
  return (
    `PostgreSQL no longer answers (${formatSystemError(error)}). Finished steps were kept; the last step may or may not be done. ` +
    'Run this command again when PostgreSQL answers: no step is done twice.'
  )
}
