import { Command } from 'commander'
import { movedInWords } from '#server/platform/database/moves.ts'
import type { MovedTable } from '#server/platform/database/postgres/move/compare-stores.ts'
import {
  type MoveOutcome,
  moveToPostgres,
} from '#server/platform/database/postgres/move/move-to-postgres.ts'
import { storeFile } from '#server/platform/database/sqlite/data-folder.ts'
import { exitCodes } from '../exit-codes.ts'
import { NotDoneError } from '../not-done-error.ts'
import { serverSettings } from '../server-settings.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'
import { type ProgressBar, progressBar } from '../terminal/progress-bar.ts'
import { table } from '../terminal/table.ts'
import { faultOfMove } from './fault-of-move.ts'
import { noStore } from './no-store.ts'
import { undoMigration } from './undo-migration.ts'

const details = `
Stop the server first. All is copied in one transaction and checked, count and checksum of every table: it is there whole
or not at all, so it may be broken off and run again. The SQLite file is kept and marked: no server starts on it again.
With --undo the mark goes, as long as nothing has come or gone in PostgreSQL since: there is no way to copy back.
Without an address DATABASE_URL is used, which keeps the password out of the list of processes.`

export const migrateToCommand = (): Command =>
  new Command('migrate-to')
    .description('copies the SQLite store of DATA_DIR into an empty PostgreSQL database')
    .argument('[url]', 'postgres://…')
    .option('--undo', 'the leads stay in SQLite after all')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('migrate-to   # with DATABASE_URL_FILE=<file>'))
    .addHelpText('after', details)
    .action(migrateTo)

interface MoveOptions {
  readonly undo?: boolean
  readonly json?: boolean
}

async function migrateTo(url: string | undefined, { undo, json }: MoveOptions): Promise<void> {
  const { dataDir, databaseUrl: configured } = serverSettings().store
  const databaseUrl = url ?? configured ?? ''
  if (!/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) {
    throw new NotDoneError('Give the postgres:// address of an empty database.', exitCodes.usage)
  }
  if (undo) return undoMigration({ dataDir, databaseUrl, now: Date.now() }, { json })
  const outcome = await move(dataDir, databaseUrl)
  if (json) printJson(outcome)
  switch (outcome.kind) {
    case 'copied':
    case 'already there':
      if (!json) print(done[outcome.kind](outcome.tables))
      return
    case 'no source':
      throw noStore(storeFile(dataDir))
    case 'source in use':
      throw new NotDoneError(
        `A server or another verb has ${dataDir}/leads.sqlite open. Nothing was copied: stop it and try again.`,
      )
    case 'moved before':
      throw new NotDoneError(
        `${movedInWords(storeFile(dataDir), outcome.to)} Nothing was copied: undo that first (migrate-to --undo).`,
      )
    case 'target differs':
      throw new NotDoneError(
        `The PostgreSQL database has been used already, and does not hold the same (${outcome.tables.join(', ')}). ` +
          'Nothing was changed: give an empty database.',
      )
  }
}

async function move(dataDir: string, databaseUrl: string): Promise<MoveOutcome> {
  let bar: ProgressBar | undefined
  const onProgress = (done: number, total: number) => {
    bar ??= progressBar('copying', total)
    bar.update(done)
  }
  try {
    return await moveToPostgres({ dataDir, databaseUrl, now: Date.now(), onProgress })
  } catch (error) {
    throw faultOfMove(error, 'move')
  } finally {
    bar?.end()
  }
}

const next = `
Next: set DATABASE_URL to this database and start. Keep the SQLite file; it is marked, and no server starts on it again, so
that no lead is lost there or delivered twice.`

const rowsOf = (tables: readonly MovedTable[]): string =>
  table(
    ['Table', 'Rows'],
    tables.map(({ name, rows }) => [name, String(rows)]),
  )

const done = {
  copied: (tables: readonly MovedTable[]) =>
    `Copied; counts and checksums are the same on both sides.\n\n${rowsOf(tables)}\n${next}`,
  'already there': (tables: readonly MovedTable[]) =>
    `Everything is there already, with the same counts and checksums. Nothing was changed.\n\n${rowsOf(tables)}\n${next}`,
}
