import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { counted } from '#domain/text/counted.ts'
import type { AuditLog } from '#server/operators/audit.ts'
import { runAndClose } from '#server/platform/database/run-and-close.ts'
import { storeFile } from '#server/platform/database/sqlite/data-folder.ts'
import { findServer } from '#server/platform/database/sqlite/server-lock.ts'
import { type Snapshot, snapshotSqlite } from '#server/platform/database/sqlite/snapshot-sqlite.ts'
import { findMoveIn } from '#server/platform/database/store-state.ts'
import { openStore } from '#server/start/open-store.ts'
import { NotDoneError } from '../not-done-error.ts'
import { serverSettings } from '../server-settings.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'
import { type ProgressBar, progressBar } from '../terminal/progress-bar.ts'
import { backUpPostgres } from './back-up-postgres.ts'
import { assertStoreFile, noStore } from './no-store.ts'
import { noteBackup } from './note-backup.ts'
import { refuseMoved } from './refuse-moved.ts'
import { tellStore } from './tell-store.ts'
import { isThere, writeWhole } from './write-whole.ts'

const details = `
The server may run: visitors and workers go on meanwhile. The file is there once it is whole, checked and on disk; one
that is there already is never overwritten. It is for you alone to read (mode 600) and holds personal data.
On PostgreSQL pg_dump makes it, which must be on this machine. How it is restored: docs/deploy.md.`

export const backupCommand = (): Command =>
  new Command('backup')
    .description('copies the store, as it is at this moment, into one file')
    .argument('<file>', 'which must not be there yet')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('backup /backups/leads-$(date +%F).backup'))
    .addHelpText('after', details)
    .action(backup)

async function backup(file: string, { json }: { json?: boolean }): Promise<void> {
  const { dataDir, databaseUrl } = serverSettings().store
  if (existsSync(file)) throw new NotDoneError(isThere(file))
  if (databaseUrl !== undefined) return backUpPostgres(databaseUrl, file, { json })
  const source = storeFile(dataDir)
  assertStoreFile({ dataDir })
  // What goes on copying it every night would say that all is well, and copy none of the leads that came since.
  const undone = 'A backup of what it was before is none of the leads: nothing was written.'
  refuseMoved(source, findMoveIn(source), undone)
  const snapshot = await writeWhole(file, (part) => takeSnapshot(dataDir, part))
  const server = findServer(dataDir)
  const servers = server === undefined ? [] : [server]
  await noteBackup((note) => inStore(dataDir, note), snapshot.leads)
  tellStore({ place: source, leads: snapshot.leads, servers, movedTo: undefined }, { json })
  if (json) return printJson({ file, ...snapshot })
  const { leads, newestAt, bytes } = snapshot
  const newest = newestAt === null ? '' : `, the newest of ${new Date(newestAt).toISOString()}`
  print(`${counted(leads, 'lead')}${newest}, in ${file} (${counted(bytes, 'byte')}), checked.`)
  print('The file holds personal data.')
}

/** The schema stays as it is: the backup before an upgrade is of the version before. */
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
  const snapshot = await snapshotSqlite({ dataDir, file, onProgress }).finally(() => bar?.end())
  if (snapshot !== undefined) return snapshot
  throw noStore(storeFile(dataDir))
}
