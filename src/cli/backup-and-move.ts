import { existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { pluralize } from '#domain/text/pluralize.ts'
import { dumpPostgres } from '#server/platform/database/postgres/dump-postgres.ts'
import {
  type CopiedTable,
  moveToPostgres,
} from '#server/platform/database/postgres/move-to-postgres.ts'
import { runAndClose } from '#server/platform/database/run-and-close.ts'
import { findStoreFile } from '#server/platform/database/sqlite/data-folder.ts'
import { findLockHolder } from '#server/platform/database/sqlite/server-lock.ts'
import { snapshotSqlite } from '#server/platform/database/sqlite/snapshot-sqlite.ts'
import { describeStoreMove, readStoreMoveFromFile } from '#server/platform/database/store-state.ts'
import {
  formatSystemError,
  isPostgresUnavailable,
} from '#server/platform/faults/database-errors.ts'
import { findDatabaseUrlFault } from '#server/platform/url-credentials.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { CommandError, exitCodes, toCommandError } from './errors.ts'
import {
  assertStoreFile,
  findCliActor,
  makeNoStoreError,
  printStoreState,
  readServerSettings,
  refuseMovedStore,
  withStore,
} from './store.ts'
import {
  formatTable,
  type JsonOption,
  makeCommand,
  makeProgressBar,
  print,
  printError,
  printJson,
  toIsoTime,
  writeFileAtomically,
} from './terminal.ts'

export const makeBackupCommand = (): Command =>
  makeCommand('backup', 'copies the store into one file', {
    examples: ['backup /backups/leads-$(date +%F).backup'],
    helpText: `
The server may keep running. The file appears once it is complete, checked and on disk; an existing file is never overwritten.
The file contains personal data, so only you can read it (mode 600). On PostgreSQL, this command needs pg_dump on this machine.
docs/deploy.md explains how to restore a backup.`,
  })
    .argument('<file>', 'the file to create')
    .action(runBackup)

async function runBackup(file: string, options: JsonOption): Promise<void> {
  const { dataDir, databaseUrl } = readServerSettings().store
  if (existsSync(file)) {
    throw new CommandError(`${file} already exists and was left unchanged. Give another name.`)
  }
  if (databaseUrl !== undefined) return backUpPostgres(databaseUrl, file, options)
  const source = findStoreFile(dataDir)
  assertStoreFile({ dataDir })
  // After a move to PostgreSQL, a nightly backup of the SQLite store would report success and miss every newer lead.
  const consequence = 'A backup of the old store would lack newer leads: nothing was written.'
  refuseMovedStore(source, readStoreMoveFromFile(source), consequence)
  const bar = makeProgressBar('backing up: bytes')
  const { leads, newestAt, bytes } = await writeFileAtomically(file, (part) =>
    snapshotSqlite(dataDir, part, bar.update).finally(bar.end),
  ).catch((error: unknown) => {
    throw toCommandError(error)
  })
  const server = findLockHolder(dataDir)
  const servers = server === undefined ? [] : [server]
  await recordBackup(leads, async (record) => {
    const store = await openStore({ dataDir })
    await runAndClose(
      () => record(store),
      () => store.close(),
    )
  })
  printStoreState({ place: source, leads, servers, movedTo: undefined }, options)
  if (options.json) return printJson({ file, leads, newestAt, bytes })
  const newest = newestAt === null ? '' : `, the newest of ${toIsoTime(newestAt)}`
  print(`${pluralize(leads, 'lead')}${newest}, in ${file} (${pluralize(bytes, 'byte')}), checked.`)
  print('The file contains personal data.')
}

/** Runs pg_dump. The command counts leads before pg_dump reads them, so the file may contain more leads. */
const backUpPostgres = (databaseUrl: string, file: string, options: JsonOption): Promise<void> =>
  withStore(
    async (store, { leads }) => {
      await writeFileAtomically(file, (part) => dumpDatabase(databaseUrl, part))
      const bytes = statSync(file).size
      await recordBackup(leads, (record) => record(store))
      if (options.json) return printJson({ file, leads, bytes })
      print(
        `At least ${pluralize(leads, 'lead')}, in ${file} (${pluralize(bytes, 'byte')}), checked.`,
      )
      print('The file contains personal data.')
    },
    options,
    { migrates: false },
  )

async function dumpDatabase(databaseUrl: string, part: string): Promise<void> {
  try {
    await dumpPostgres(databaseUrl, part)
  } catch (error) {
    const { code, path: program } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw error
    throw new CommandError(
      `${program} is not on this machine, so nothing was written. Install PostgreSQL’s client programs, of the ` +
        'server’s version or a later one (Debian: postgresql-client). With compose.yaml, run docker compose exec ' +
        'database pg_dump instead, as in docs/deploy.md.',
      exitCodes.unavailable,
    )
  }
}

/**
 * Records the backup in the audit log. If the store is full, read-only or from an earlier version, the backup still
 * succeeds, and the command reports the missing audit entry.
 */
async function recordBackup(
  leads: number,
  withAudit: (record: (store: Pick<Store, 'audit' | 'clock'>) => Promise<void>) => Promise<void>,
): Promise<void> {
  try {
    await withAudit(async ({ audit, clock }) => {
      const id = await audit.record(findCliActor(), { action: 'took a backup' }, clock())
      await audit.recordOutcome(id, pluralize(leads, 'lead'))
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    printError(`The backup is complete, but could not be recorded in the audit log: ${why}`)
  }
}

export const makeMigrateToCommand = (): Command =>
  makeCommand(
    'migrate-to',
    'copies the SQLite store of DATA_DIR into an empty PostgreSQL database',
    {
      examples: ['migrate-to   # with DATABASE_URL_FILE=<file>'],
      helpText: `
Stop the server first. One transaction copies every table and compares row counts and checksums. The copy is complete or
absent, so you may interrupt and repeat this command. The SQLite file is kept and marked: no server starts on it again.
To return to SQLite, restore a backup from before the move: docs/storage.md.
To keep the password out of the list of processes, leave out the URL and set DATABASE_URL_FILE or DATABASE_URL.`,
    },
  )
    // Commander would quote an unencoded password with a space in its error about too many arguments.
    .argument('[url...]', 'postgres://…')
    .action(runMigrateTo)

async function runMigrateTo(given: readonly string[], { json }: JsonOption): Promise<void> {
  const { dataDir, databaseUrl: configured } = readServerSettings().store
  const databaseUrl = given.length > 0 ? given.join(' ') : (configured ?? '')
  const fault = findDatabaseUrlFault(databaseUrl)
  if (fault !== undefined) {
    throw new CommandError(
      `Give the postgres:// URL of an empty database. The URL ${fault}.`,
      exitCodes.usage,
    )
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
      throw makeNoStoreError(findStoreFile(dataDir))
    case 'source in use':
      throw new CommandError(
        `A server or another command has ${dataDir}/leads.sqlite open. Nothing was copied. Stop that process and try again.`,
      )
    case 'moved before':
      throw new CommandError(
        `${describeStoreMove(findStoreFile(dataDir), outcome.to)} Nothing was copied. To move these leads elsewhere, first restore the backup that you made before the move.`,
      )
    case 'target differs':
      throw new CommandError(
        `The PostgreSQL database is not empty, and differs from the SQLite store in: ${outcome.tables.join(', ')}. Nothing was ` +
          'changed. Give an empty database.',
      )
  }
}

/** Explains why a move to PostgreSQL failed. If only the reply to the commit was lost, the copy is complete. */
export function toMigrationError(error: unknown): unknown {
  if (!(error instanceof Error) || !isPostgresUnavailable(error)) return toCommandError(error)
  return new CommandError(
    `PostgreSQL no longer answers (${formatSystemError(error)}). The copy is complete or absent, and the SQLite store is ` +
      'unchanged. Run this command again when PostgreSQL answers.',
    exitCodes.unavailable,
    { cause: error },
  )
}

function describeCopy(kind: 'copied' | 'already there', tables: readonly CopiedTable[]): string {
  const rows = tables.map(({ name, rows }) => [name, String(rows)])
  return `The leads are ${kind}; both databases have the same row counts and checksums.

${formatTable(['Table', 'Rows'], rows)}

Next: set DATABASE_URL to this database and start the server. Keep the SQLite file. It is marked, so no
server starts on it again, and no lead is lost or delivered twice.`
}
