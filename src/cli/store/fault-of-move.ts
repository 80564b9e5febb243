import { systemMessage } from '#server/platform/database/faults/store-unavailable-error.ts'
import { isPostgresAway } from '#server/platform/faults/is-postgres-away.ts'
import { exitCodes } from '../exit-codes.ts'
import { faultInWords } from '../fault-in-words.ts'
import { NotDoneError } from '../not-done-error.ts'

const whatThen = {
  move:
    'All of the copy is there or nothing; run this again when it answers, and it says which. The SQLite store is as it ' +
    'was, and may be started.',
  undo:
    'Nothing was lost, and no lead has moved; it may be that no server starts on either store now. Run this again when it ' +
    'answers: it ends what was begun.',
}

/** Where the answer to the commit alone was lost, all of it is there. */
export function faultOfMove(error: unknown, way: keyof typeof whatThen): unknown {
  if (!(error instanceof Error) || !isPostgresAway(error)) return faultInWords(error)
  return new NotDoneError(
    `PostgreSQL does not answer any more (${systemMessage(error)}). ${whatThen[way]}`,
    exitCodes.unavailable,
    { cause: error },
  )
}
