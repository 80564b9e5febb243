import { existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { formatIsoTime } from '#domain/calendar.ts'
import { pluralize } from '#domain/text/formats.ts'
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
import { makeCommand } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import {
  assertStoreFile,
  findCliActor,
  makeMovedStoreError,
  makeNoStoreError,
  printStoreState,
  readServerSettings,
  withStore,
} from './store.ts'
import {
  formatTable,
  type JsonOption,
  makeProgressBar,
  printError,
  writeFileAtomically,
} from './terminal.ts'

export const makeBackupAndMoveCommands = (): readonly Command[] => [
  makeCommand(
    'backup',
    'copies the store into one file',
    ['backup /backups/leads-$(date +%F).backup'],
    `
The server may keep running. The file appears once it is complete, checked and on disk; an existing file is never overwritten.
The file contains personal data, so only you can read it (mode 600). On PostgreSQL, this command needs pg_dump on this machine.
docs/deploy.md explains how to restore a backup.`,
  )
    .argument('<file>', 'the file to create')
    .reports(runBackup),
  makeCommand(
    'migrate-to',
    'copies the SQLite store of DATA_DIR into an empty PostgreSQL database',
    ['migrate-to   # with DATABASE_URL_FILE=<file>'],
    `
Stop the server first. One transaction copies every table and compares row counts and checksums. The copy is complete or
absent, so you may interrupt and repeat this command. The SQLite file is kept and marked: no server starts on it again.
To return to SQLite, restore a backup from before the move: docs/storage.md.
To keep the password out of the list of processes, leave out the URL and set DATABASE_URL_FILE or DATABASE_URL.`,
  )
    // Commander would quote an unencoded password with a space in its error about too many arguments.
    .argument('[url...]', 'postgres://…')
    .reports(runMigrateTo),
]

async function runBackup(file: string, options: JsonOption) {
  const { dataDir, databaseUrl, zone } = readServerSettings().store
  if (existsSync(file)) {
    throw new CommandError(`${file} already exists and was left unchanged. Give another name.`)
  }
  if (databaseUrl !== undefined) return backUpPostgres(databaseUrl, file, options)
  const source = findStoreFile(dataDir)
  assertStoreFile({ dataDir })
  // After a move to PostgreSQL, a nightly backup of the SQLite store would report success and miss every newer lead.
  const consequence = 'A backup of the old store would lack newer leads: nothing was written.'
  const move = readStoreMoveFromFile(source)
  if (move !== undefined) throw makeMovedStoreError(source, move, consequence)
  const bar = makeProgressBar('backing up: bytes')
  const { leads, newestAt, bytes } = await writeFileAtomically(file, (part) =>
    snapshotSqlite(dataDir, part, bar.update).finally(bar.end),
  )
  const server = findLockHolder(dataDir)
  const recordInStore = async () => {
    const store = await openStore({ dataDir })
    await runAndClose(
      () => recordBackup(store, leads),
      () => store.close(),
    )
  }
  await recordInStore().catch(reportUnrecorded)
  const servers = server === undefined ? [] : [server]
  printStoreState({ place: source, leads, servers, movedTo: undefined }, options)
  const newest = newestAt === null ? '' : `, the newest of ${formatIsoTime(newestAt, zone)}`
  const counted = `${pluralize(leads, 'lead')}${newest}`
  return reportBackup({ file, leads, newestAt, bytes }, counted)
}

/** @param counted says how many leads are in the file */
const reportBackup = (
  json: { readonly file: string; readonly bytes: number } & Readonly<Record<string, unknown>>,
  counted: string,
) => ({
  json,
  text: `${counted}, in ${json.file} (${pluralize(json.bytes, 'byte')}), checked.\nThe file contains personal data.`,
})

/** Runs pg_dump. The command counts leads before pg_dump reads them, so the file may contain more leads. */
const backUpPostgres = (databaseUrl: string, file: string, options: JsonOption) =>
  withStore(
    async ({ store, state: { leads } }) => {
      await writeFileAtomically(file, (part) => dumpDatabase(databaseUrl, part))
      const bytes = statSync(file).size
      await recordBackup(store, leads).catch(reportUnrecorded)
      return reportBackup({ file, leads, bytes }, `At least ${pluralize(leads, 'lead')}`)
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

async function recordBackup({ audit, clock }: Store, leads: number): Promise<void> {
  const id = await audit.record(findCliActor(), { action: 'took a backup' }, clock())
  await audit.recordOutcome(id, pluralize(leads, 'lead'))
}

/** A backup also succeeds if the store is full, read-only or from an earlier version, and so has no audit entry. */
function reportUnrecorded(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error)
  printError(`The backup is complete, but could not be recorded in the audit log: ${why}`)
}

async function runMigrateTo(given: readonly string[]) {
  const { dataDir, databaseUrl: configured } = readServerSettings().store
  const databaseUrl = given.length > 0 ? given.join(' ') : (configured ?? '')
  const fault = findDatabaseUrlFault(databaseUrl)
  if (fault !== undefined) {
    const message = `Give the postgres:// URL of an empty database. The URL ${fault}.`
    throw new CommandError(message, exitCodes.usage)
  }
  const bar = makeProgressBar('copying')
  const move = { dataDir, databaseUrl, now: Date.now(), onProgress: bar.update }
  const outcome = await moveToPostgres(move)
    .catch((error: unknown) => {
      throw toMigrationError(error)
    })
    .finally(bar.end)
  const fail = (message: string) => ({ json: outcome, error: new CommandError(message) })
  const file = findStoreFile(dataDir)
  switch (outcome.kind) {
    case 'copied':
    case 'already there':
      return { json: outcome, text: describeCopy(outcome.kind, outcome.tables) }
    case 'no source':
      return { json: outcome, error: makeNoStoreError(file) }
    case 'source in use':
      return fail(
        `A server or another command has ${file} open. Nothing was copied. Stop that process and try again.`,
      )
    case 'moved before':
      return fail(
        `${describeStoreMove(file, outcome.to)} Nothing was copied. To move these leads elsewhere, first restore the backup that you made before the move.`,
      )
    case 'target differs':
      return fail(
        `The PostgreSQL database is not empty, and differs from the SQLite store in: ${outcome.tables.join(', ')}. Nothing was ` +
          'changed. Give an empty database.',
      )
  }
}

/** Explains why a move to PostgreSQL failed. If only the reply to the commit was lost, the copy is complete. */
export function toMigrationError(error: unknown): unknown {
  if (!(error instanceof Error) || !isPostgresUnavailable(error)) return error
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
