import { existsSync, rmSync } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { pluralize } from '#domain/text/pluralize.ts'
import type { AuditLog } from '#server/operators/audit.ts'
import {
  ClientToolMissingError,
  dumpPostgres,
} from '#server/platform/database/postgres/dump-postgres.ts'
import { ignoreErrors, runAndClose } from '#server/platform/database/run-and-close.ts'
import { storeFile } from '#server/platform/database/sqlite/data-folder.ts'
import { findServer } from '#server/platform/database/sqlite/server-lock.ts'
import { type Snapshot, snapshotSqlite } from '#server/platform/database/sqlite/snapshot-sqlite.ts'
import { findMoveIn } from '#server/platform/database/store-state.ts'
import { isCorrupt } from '#server/platform/faults/database-errors.ts'
import { openStore } from '#server/store/open-store.ts'
import { describeFault, exitCodes, NotDoneError } from './errors.ts'
import {
  assertStoreFile,
  commandLineActor,
  noStore,
  printStoreState,
  refuseMoved,
  serverSettings,
  withUnmigratedStore,
} from './store.ts'
import {
  isoTime,
  type Json,
  type ProgressBar,
  print,
  printFault,
  printJson,
  progressBar,
  verb,
} from './terminal.ts'

export const backupCommand = (): Command =>
  verb('backup', 'copies the store, as it is at this moment, into one file', {
    examples: ['backup /backups/leads-$(date +%F).backup'],
    helpText: `
The server may run. The file appears once it is complete, checked and on disk; an existing file is never overwritten. Only
you can read it (mode 600), and it holds personal data. On PostgreSQL, pg_dump makes it and must be on this machine.
How to restore: docs/deploy.md.`,
  })
    .argument('<file>', 'must not exist yet')
    .action(backup)

async function backup(file: string, { json }: Json): Promise<void> {
  const { dataDir, databaseUrl } = serverSettings().store
  if (existsSync(file)) throw new NotDoneError(isThere(file))
  if (databaseUrl !== undefined) return backUpPostgres(databaseUrl, file, { json })
  const source = storeFile(dataDir)
  assertStoreFile({ dataDir })
  // A nightly copy of the old store would report success and miss every newer lead.
  const undone = 'A backup of the old store would miss the leads: nothing was written.'
  refuseMoved(source, findMoveIn(source), undone)
  const snapshot = await writeWhole(file, (part) => takeSnapshot(dataDir, part))
  const server = findServer(dataDir)
  const servers = server === undefined ? [] : [server]
  await noteBackup((note) => inStore(dataDir, note), snapshot.leads)
  printStoreState({ place: source, leads: snapshot.leads, servers, movedTo: undefined }, { json })
  if (json) return printJson({ file, ...snapshot })
  const { leads, newestAt, bytes } = snapshot
  const newest = newestAt === null ? '' : `, the newest of ${isoTime(newestAt)}`
  print(`${pluralize(leads, 'lead')}${newest}, in ${file} (${pluralize(bytes, 'byte')}), checked.`)
  print('The file holds personal data.')
}

/** The schema stays as it is, because the backup before an upgrade keeps the old version. */
async function inStore(dataDir: string, use: (audit: AuditLog) => Promise<void>): Promise<void> {
  const store = await openStore({ dataDir })
  await runAndClose(
    () => use(store.audit),
    () => store.close(),
  )
}

async function takeSnapshot(dataDir: string, file: string): Promise<Snapshot> {
  let bar: ProgressBar | undefined
  const onProgress = (done: number, total: number) => {
    bar ??= progressBar('backing up', total)
    bar.update(done)
  }
  const snapshot = await snapshotSqlite(dataDir, file, onProgress).finally(() => bar?.end())
  if (snapshot !== undefined) return snapshot
  throw noStore(storeFile(dataDir))
}

/** Runs pg_dump, which reads one snapshot. The leads in the report were stored before that snapshot. */
export function backUpPostgres(databaseUrl: string, file: string, report: Json): Promise<void> {
  return withUnmigratedStore(async (store) => {
    const { leads } = await store.state()
    const bytes = await writeWhole(file, async (part) => {
      await dumpPostgres(databaseUrl, part).catch((error: unknown) => {
        throw error instanceof ClientToolMissingError ? isMissing(error) : error
      })
      return (await stat(part)).size
    })
    await noteBackup((note) => note(store.audit), leads)
    if (report.json) return printJson({ file, leads, bytes })
    print(
      `At least ${pluralize(leads, 'lead')}, in ${file} (${pluralize(bytes, 'byte')}), checked.`,
    )
    print('The file holds personal data.')
  }, report)
}

const isMissing = ({ program }: ClientToolMissingError): NotDoneError =>
  new NotDoneError(
    `${program} is not on this machine: nothing was written. Install PostgreSQL’s client programs, of the server’s ` +
      'version or a later one (Debian: postgresql-client). With compose.yaml: docker compose exec database pg_dump, as in ' +
      'docs/deploy.md.',
    exitCodes.unavailable,
  )

/**
 * Gives a backup its final file name only when it is complete. An incomplete backup is deleted, because it holds
 * personal data that nobody would look after.
 */
export async function writeWhole<Result>(
  file: string,
  write: (part: string) => Promise<Result>,
): Promise<Result> {
  const part = `${file}.${process.pid}.part`
  const stop = () => {
    rmSync(part, { force: true })
    printFault('The backup was stopped. Nothing is left of it.')
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await (await open(part, 'wx', 0o600)).close()
    const result = await write(part)
    // Unlike a rename, `link` fails if another process has created the file meanwhile.
    await link(part, file)
    await rm(part)
    await syncFolder(dirname(file))
    return result
  } catch (error) {
    await ignoreErrors(() => rm(part, { force: true }))
    throw explainWriteError(error, file)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Makes sure that the file's name also survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

export const isThere = (file: string): string =>
  `${file} already exists and was left unchanged. Give a name that is not taken.`

function explainWriteError(error: unknown, file: string): unknown {
  if (error instanceof NotDoneError || !(error instanceof Error)) return error
  if ('code' in error && error.code === 'EEXIST') return new NotDoneError(isThere(file))
  // The store is damaged, not the folder that the backup is written to.
  if (isCorrupt(error)) return describeFault(error)
  return new NotDoneError(
    `The backup was not made (${error.message}). The partial copy was deleted, and the store is unchanged. ` +
      'Make room or choose another place; a store that cannot be read: docs/runbook.md, “Leads are not stored”.',
    exitCodes.notDone,
    { cause: error },
  )
}

/**
 * Records the copy of all leads in the audit log. A store that is full, read-only or of an earlier version is copied
 * anyway: the missing audit entry is reported and is no failure.
 */
export async function noteBackup(
  inAudit: (note: (audit: AuditLog) => Promise<void>) => Promise<void>,
  leads: number,
): Promise<void> {
  const note = async (audit: AuditLog): Promise<void> => {
    const id = await audit.record(commandLineActor(), { action: 'took a backup' }, Date.now())
    await audit.recordOutcome(id, pluralize(leads, 'lead'))
  }
  await inAudit(note).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    printFault(`The backup is not in the audit, which could not be written: ${why}`)
  })
}
