import type { Command } from 'commander'
import {
  type MovedTable,
  moveToPostgres,
} from '#server/platform/database/postgres/move/move-to-postgres.ts'
import { findStoreFile } from '#server/platform/database/sqlite/data-folder.ts'
import { describeMove } from '#server/platform/database/store-state.ts'
import {
  formatSystemError,
  isPostgresUnavailable,
} from '#server/platform/faults/database-errors.ts'
import { CommandError, exitCodes, toCommandError } from './errors.ts'
import { noStoreError, readServerSettings } from './store.ts'
import {
  formatTable,
  type JsonOption,
  makeCommand,
  makeProgressBar,
  print,
  printJson,
} from './terminal.ts'

export const migrateToCommand = (): Command =>
  makeCommand(
    'migrate-to',
    'copies the SQLite store of DATA_DIR into an empty PostgreSQL database',
    {
      examples: ['migrate-to   # with DATABASE_URL_FILE=<file>'],
      helpText: `
Stop the server first. One transaction copies every table and compares its count and checksum, so the copy is complete or
absent, and you may interrupt and repeat this command. The SQLite file is kept and marked: no server starts on it again.
To return to SQLite, restore the backup that you made before: docs/storage.md.
Without [url], the command uses DATABASE_URL, which keeps the password out of the list of processes.`,
    },
  )
    .argument('[url]', 'postgres://…')
    .action(runMigrateTo)

async function runMigrateTo(url: string | undefined, { json }: JsonOption): Promise<void> {
  const { dataDir, databaseUrl: configured } = readServerSettings().store
  const databaseUrl = url ?? configured ?? ''
  if (!/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) {
    throw new CommandError('Give the postgres:// address of an empty database.', exitCodes.usage)
  }
  const bar = makeProgressBar('copying')
  const outcome = await moveToPostgres({
    dataDir,
    databaseUrl,
    now: Date.now(),
    onProgress: bar.update,
  })
    .catch((error: unknown) => {
      throw toMigrationError(error)
    })
    .finally(bar.end)
  if (json) printJson(outcome)
  switch (outcome.kind) {
    case 'copied':
    case 'already there':
      if (!json) print(describeCopy(outcome.kind, outcome.tables))
      return
    case 'no source':
      throw noStoreError(findStoreFile(dataDir))
    case 'source in use':
      throw new CommandError(
        `A server or another command has ${dataDir}/leads.sqlite open. Nothing was copied. Stop that process and try again.`,
      )
    case 'moved before':
      throw new CommandError(
        `${describeMove(findStoreFile(dataDir), outcome.to)} Nothing was copied. To move these leads elsewhere, first restore the backup that you made before the move.`,
      )
    case 'target differs':
      throw new CommandError(
        `The PostgreSQL database is not empty, and its data differs in: ${outcome.tables.join(', ')}. Nothing was ` +
          'changed. Give an empty database.',
      )
  }
}

/** Describes a failed move. If only the answer to the commit was lost, the copy is complete. */
export function toMigrationError(error: unknown): unknown {
  if (!(error instanceof Error) || !isPostgresUnavailable(error)) return toCommandError(error)
  return new CommandError(
    `PostgreSQL no longer answers (${formatSystemError(error)}). The copy is complete or absent, and the SQLite store is ` +
      'unchanged. Run this command again when PostgreSQL answers.',
    exitCodes.unavailable,
    { cause: error },
  )
}

function describeCopy(kind: 'copied' | 'already there', tables: readonly MovedTable[]): string {
  const rows = tables.map(({ name, rows }) => [name, String(rows)])
  return `The leads are ${kind}; both databases have the same counts and checksums.

${formatTable(['Table', 'Rows'], rows)}

Next: set DATABASE_URL to this database and start the server. Keep the SQLite file: it is marked, and no server starts on it
again, so that no lead is lost or delivered twice.`
}
