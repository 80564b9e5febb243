import { existsSync, rmSync } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { findMoveIn, movedInWords } from '#server/store/moves.ts'
import { quietly } from '#server/store/run-and-close.ts'
import { storeFile } from '#server/store/sqlite/data-folder.ts'
import { findServer } from '#server/store/sqlite/server-lock.ts'
import { type Snapshot, snapshotSqlite } from '#server/store/sqlite/snapshot-sqlite.ts'
import { examples } from './examples.ts'
import { exitCodes } from './exit-codes.ts'
import { assertStoreFile, noStore } from './no-store.ts'
import { NotDoneError } from './not-done-error.ts'
import { counted, print, printFault, printJson } from './print.ts'
import { type ProgressBar, progressBar } from './progress-bar.ts'
import { serverSettings } from './server-settings.ts'
import { tellStore } from './tell-store.ts'

const details = `
The server may run: visitors and workers go on meanwhile. The file is there once it is whole, checked and on disk; one
that is there already is never overwritten. It is for you alone to read (mode 600) and holds personal data.
PostgreSQL has tools of its own: pg_dump. Both, and how to restore: docs/deploy.md.`

export const backupCommand = (): Command =>
  new Command('backup')
    .description('copies the SQLite store of DATA_DIR, as it is at this moment, into one file')
    .argument('<file>', 'which must not be there yet')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('backup /backups/leads-$(date +%F).sqlite'))
    .addHelpText('after', details)
    .action(backup)

async function backup(file: string, { json }: { json?: boolean }): Promise<void> {
  const { dataDir, databaseUrl } = serverSettings().store
  if (databaseUrl !== undefined) {
    throw new NotDoneError(
      'The leads are in PostgreSQL (DATABASE_URL), which has tools of its own: ' +
        'pg_dump --format=custom --file=<file> "$DATABASE_URL". Nothing was written.',
      exitCodes.usage,
    )
  }
  if (existsSync(file)) throw new NotDoneError(isThere(file))
  const source = storeFile(dataDir)
  assertStoreFile({ dataDir })
  refuseMoved(source)
  const snapshot = await writeWhole(file, (part) => takeSnapshot(dataDir, part))
  const server = findServer(dataDir)
  const servers = server === undefined ? [] : [server]
  tellStore({ place: source, leads: snapshot.leads, servers, movedTo: undefined }, { json })
  if (json) return printJson({ file, ...snapshot })
  const { leads, newestAt, bytes } = snapshot
  const newest = newestAt === null ? '' : `, the newest of ${new Date(newestAt).toISOString()}`
  print(`${counted(leads, 'lead')}${newest}, in ${file} (${counted(bytes, 'byte')}), checked.`)
  print('The file holds personal data.')
}

/** What goes on copying it every night would say that all is well, and copy none of the leads that came since. */
function refuseMoved(source: string): void {
  const move = findMoveIn(source)
  if (move === undefined) return
  throw new NotDoneError(
    `${movedInWords(source, move)} A backup of what it was before is none of the leads: nothing was written. ` +
      'Set DATABASE_URL, as for the server; under systemd in /etc/campus-enquiry/store.env.',
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

/** Half a backup is none, and holds personal data that nobody looks after: it never has the file's name, and goes. */
async function writeWhole<Result>(
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
    // Unlike a rename, it fails where somebody else has made the file meanwhile.
    await link(part, file)
    await rm(part)
    await syncFolder(dirname(file))
    return result
  } catch (error) {
    await quietly(() => rm(part, { force: true }))
    throw inWords(error, file)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** The name, too, is to be there after a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

const isThere = (file: string): string =>
  `${file} is there already, and was left as it is. Give a name that is not taken.`

function inWords(error: unknown, file: string): unknown {
  if (error instanceof NotDoneError || !(error instanceof Error)) return error
  if ('code' in error && error.code === 'EEXIST') return new NotDoneError(isThere(file))
  return new NotDoneError(
    `The backup was not made (${error.message}). Nothing is left of it, and the store is as it was. ` +
      'Make room or choose another place; a store that cannot be read: docs/runbook.md, “Leads are not stored”.',
    exitCodes.notDone,
    { cause: error },
  )
}
