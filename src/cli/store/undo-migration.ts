import { movedInWords } from '#server/platform/database/moves.ts'
import {
  type Undo,
  type UndoOutcome,
  undoMove,
} from '#server/platform/database/postgres/move/undo-move.ts'
import { serverInWords } from '#server/platform/database/running-server.ts'
import { storeFile } from '#server/platform/database/sqlite/data-folder.ts'
import { NotDoneError } from '../not-done-error.ts'
import { print, printJson } from '../terminal/print.ts'
import { faultOfMove } from './fault-of-move.ts'
import { noStore } from './no-store.ts'

/** `migrate-to --undo`. */
export async function undoMigration(undo: Undo, { json }: { json?: boolean | undefined }) {
  const outcome = await undoMove(undo).catch((error: unknown) => {
    throw faultOfMove(error, 'undo')
  })
  if (json) printJson(outcome)
  const file = storeFile(undo.dataDir)
  if (outcome.kind === 'no source') throw noStore(file)
  if (outcome.kind !== 'undone') throw new NotDoneError(whyNotDone(file, outcome))
  if (json) return
  print(
    `The leads are in ${file} again, and PostgreSQL is marked: no server starts on it any more.`,
  )
  print('Next: take DATABASE_URL away, and start.')
}

function whyNotDone(
  file: string,
  outcome: Exclude<UndoOutcome, { kind: 'undone' | 'no source' }>,
): string {
  switch (outcome.kind) {
    case 'not moved':
      return `${file} was not moved. Nothing was changed.`
    case 'moved elsewhere':
      return `${movedInWords(file, outcome.to)} Nothing was changed: give the address of that one.`
    case 'source in use':
      return `Another verb has ${file} open. Nothing was changed: try again.`
    case 'target in use':
      return `A server uses the PostgreSQL database: ${outcome.servers.map(serverInWords).join('; ')}. Nothing was changed: stop it first.`
    case 'target differs':
      return (
        `PostgreSQL has gone on since (${outcome.tables.join(', ')}): leads that came there would be lost, and those ` +
        'delivered there sent again. Nothing was changed.'
      )
  }
}
