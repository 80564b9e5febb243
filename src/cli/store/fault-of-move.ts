import { systemMessage } from '#server/store/faults/store-unavailable-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { faultInWords, isPostgresAway } from '../fault-in-words.ts'
import { NotDoneError } from '../not-done-error.ts'

/** Where the answer to the commit alone was lost, all of it is there. */
export function faultOfMove(error: unknown): unknown {
  if (!(error instanceof Error) || !isPostgresAway(error)) return faultInWords(error)
  return new NotDoneError(
    `PostgreSQL does not answer any more (${systemMessage(error)}). All of the copy is there or nothing; run this again ` +
      'when it answers, and it says which. The SQLite store is as it was, and may be started.',
    exitCodes.unavailable,
    { cause: error },
  )
}
