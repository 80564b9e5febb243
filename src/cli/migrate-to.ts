import { Command } from 'commander'
import {
  type MovedTable,
  type MoveOutcome,
  moveToPostgres,
} from '#server/store/postgres/move-to-postgres.ts'
import { storeFile } from '#server/store/sqlite/data-folder.ts'
import { faultOf } from '#server/store/store-unavailable-error.ts'
import { examples } from './examples.ts'
import { exitCodes } from './exit-codes.ts'
import { faultInWords, isPostgresAway } from './fault-in-words.ts'
import { noStore } from './no-store.ts'
import { NotDoneError } from './not-done-error.ts'
import { print, printJson } from './print.ts'
import { type ProgressBar, progressBar } from './progress-bar.ts'
import { serverSettings } from './server-settings.ts'
import { table } from './table.ts'

const details = `
Stop the server first. All is copied in one transaction and checked, count and checksum of every table: it is there whole
or not at all, so it may be broken off and run again. The SQLite file is kept, its deliveries paused.
Without an address DATABASE_URL is used, which keeps the password out of the list of processes.`

export const migrateToCommand = (): Command =>
  new Command('migrate-to')
    .description('copies the SQLite store of DATA_DIR into an empty PostgreSQL database')
    .argument('[url]', 'postgres://…')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('migrate-to postgres://leads@db.example:5432/leads'))
    .addHelpText('after', details)
    .action(migrateTo)

async function migrateTo(url: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { dataDir, databaseUrl: configured } = serverSettings().store
  const databaseUrl = url ?? configured ?? ''
  if (!/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) {
    throw new NotDoneError('Give the postgres:// address of an empty database.', exitCodes.usage)
  }
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
    case 'target differs':
      throw new NotDoneError(
        `The PostgreSQL database holds leads already, and they are not the same (${outcome.tables.join(', ')}). ` +
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
    throw error instanceof Error && isPostgresAway(error) ? lostTarget(error) : faultInWords(error)
  } finally {
    bar?.end()
  }
}

/** Where the answer to the commit alone was lost, all of it is there. */
const lostTarget = (error: Error): NotDoneError =>
  new NotDoneError(
    `PostgreSQL does not answer any more (${faultOf(error)}). All of the copy is there or nothing; run this again ` +
      'when it answers, and it says which. The SQLite store is as it was, and may be started.',
    exitCodes.unavailable,
    { cause: error },
  )

const next = `
Next: set DATABASE_URL to this database and start. Keep the SQLite file as a backup; its deliveries are paused, so that
no lead is delivered twice.`

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
