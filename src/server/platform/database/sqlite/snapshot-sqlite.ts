import { statSync } from 'node:fs'
import { runAndClose } from '../run-and-close.ts'
import { findStoreFile } from './data-folder.ts'
import { type DatabaseThread, makeDatabaseThread } from './database-thread.ts'

interface Snapshot {
  readonly leads: number
  /** When the newest lead in the snapshot was received, in epoch milliseconds; null if there is no lead. */
  readonly newestAt: number | null
  readonly bytes: number
}

/** How long to wait for a lock, in milliseconds: long enough for another process's checkpoint or start. */
const busyTimeoutMs = 10_000
const progressEveryMs = 100

/**
 * Writes a consistent copy of `<dataDir>/leads.sqlite` into an empty file while servers use the store. SQLite's `vacuum
 * into` reads in one transaction, whereas its backup API would start again after each write of another process, and
 * never end under load. The copy contains no erased data. Resolves when the copy is checked; the caller flushes it to disk.
 * @param onProgress receives bytes; the total is the store's current size
 * @throws SQLite's error or the failed check, if the copy is incomplete
 */
export async function snapshotSqlite(
  dataDir: string,
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<Snapshot> {
  const source = findStoreFile(dataDir)
  const total = statSync(source).size
  const timer = setInterval(
    () => onProgress(statSync(file, { throwIfNoEntry: false })?.size ?? 0, total),
    progressEveryMs,
  )
  await runInThread(source, (thread) =>
    thread.call('run', { sql: 'vacuum into ?', parameters: [file] }),
  ).finally(() => clearInterval(timer))
  const content = await runInThread(file, checkSnapshot)
  return { ...content, bytes: statSync(file).size }
}

/** Opens a file in a thread, so that the main thread can handle signals and show progress. */
async function runInThread<Result>(
  file: string,
  use: (thread: DatabaseThread) => Promise<Result>,
): Promise<Result> {
  const thread = makeDatabaseThread(file, { readOnly: true, timeout: busyTimeoutMs })
  return runAndClose(
    () => use(thread),
    () => thread.close(),
  )
}

type Row = Readonly<Record<string, unknown>>

async function checkSnapshot(thread: DatabaseThread): Promise<Omit<Snapshot, 'bytes'>> {
  const ask = async (sql: string) =>
    (await thread.call<{ rows: readonly Row[] }>('run', { sql, parameters: [] })).rows
  const faults = await ask('pragma integrity_check')
  const orphans = await ask('pragma foreign_key_check')
  if (faults[0]?.integrity_check !== 'ok' || orphans.length > 0) {
    const found = JSON.stringify([...faults, ...orphans].slice(0, 5))
    throw new Error(`SQLite finds faults in the copy: ${found}`)
  }
  const [row] = await ask('select count(*) as leads, max(received_at) as newest from leads')
  const newest = row?.newest
  return { leads: Number(row?.leads), newestAt: typeof newest === 'number' ? newest : null }
}
