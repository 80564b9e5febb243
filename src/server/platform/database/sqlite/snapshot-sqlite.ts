import { existsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { ignoreErrors, runAndClose } from '../run-and-close.ts'
import { type DatabaseThread, openThread } from './database-thread.ts'

export interface Snapshot {
  readonly leads: number
  /** Epoch milliseconds of the last lead in it; null where it has none. */
  readonly newestAt: number | null
  readonly bytes: number
}

interface SnapshotPorts {
  readonly dataDir: string
  /** An empty file. */
  readonly file: string
  /** In bytes; the total is what the store has now. */
  readonly onProgress: (done: number, total: number) => void
}

/** Another process's checkpoint or start is over by then. */
const busyTimeoutMs = 10_000
const progressEveryMs = 100

/**
 * Writes the store of `<dataDir>/leads.sqlite`, as it is at one moment, into one file, while
 * server and workers go on. `vacuum into` reads in one transaction: SQLite's backup API would
 * begin anew at each write of another process, which under load is never over. Erased data are not
 * copied. The result is on disk and was checked.
 * @returns undefined where there is no store
 * @throws where the copy is not whole: SQLite's own words, or what its check found
 */
export async function snapshotSqlite(ports: SnapshotPorts): Promise<Snapshot | undefined> {
  const { file } = ports
  const source = join(ports.dataDir, 'leads.sqlite')
  if (!existsSync(source)) return undefined
  await inThread(source, (thread) => copyTo(thread, ports))
  const content = await inThread(file, check)
  await syncToDisk(file)
  return { ...content, bytes: (await stat(file)).size }
}

/** The main thread stays free for signals and for progress. */
async function inThread<Result>(
  file: string,
  use: (thread: DatabaseThread) => Promise<Result>,
): Promise<Result> {
  const thread = await openThread(file, { readOnly: true, timeout: busyTimeoutMs })
  return runAndClose(
    () => use(thread),
    () => thread.close(),
  )
}

async function copyTo(thread: DatabaseThread, { file, onProgress }: SnapshotPorts): Promise<void> {
  const [size] = await rowsOf(
    thread,
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  )
  const total = Number(size?.bytes)
  const copied = new AbortController()
  // An unknown file size is no reason to skip the backup.
  const told = ignoreErrors(() =>
    tellProgress(file, (done) => onProgress(done, total), copied.signal),
  )
  try {
    await thread.call('run', { sql: 'vacuum into ?', parameters: [file] })
  } finally {
    copied.abort()
    await told
  }
}

/** Rejects once it is to stop. */
async function tellProgress(
  file: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const _ of setInterval(progressEveryMs, undefined, { signal })) {
    onBytes((await stat(file)).size)
  }
}

async function check(thread: DatabaseThread): Promise<Omit<Snapshot, 'bytes'>> {
  const faults = await rowsOf(thread, 'pragma integrity_check')
  const orphans = await rowsOf(thread, 'pragma foreign_key_check')
  if (faults[0]?.integrity_check !== 'ok' || orphans.length > 0) {
    throw new Error(
      `SQLite finds faults in the copy: ${JSON.stringify([...faults, ...orphans].slice(0, 5))}`,
    )
  }
  const [row] = await rowsOf(
    thread,
    'select count(*) as leads, max(received_at) as newest from leads',
  )
  const newest = row?.newest
  return { leads: Number(row?.leads), newestAt: typeof newest === 'number' ? newest : null }
}

async function rowsOf(thread: DatabaseThread, sql: string) {
  const { rows } = await thread.call<{ rows: readonly Readonly<Record<string, unknown>>[] }>(
    'run',
    {
      sql,
      parameters: [],
    },
  )
  return rows
}

async function syncToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
}
