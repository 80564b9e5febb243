import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { runAndClose } from '../run-and-close.ts'
import { storeFile } from './data-folder.ts'
import { type DatabaseThread, openThread } from './database-thread.ts'

export interface Snapshot {
  readonly leads: number
  /** Epoch milliseconds of the last lead in it; null where it has none. */
  readonly newestAt: number | null
  readonly bytes: number
}

/** Another process's checkpoint or start is over by then. */
const busyTimeoutMs = 10_000
const progressEveryMs = 100

/**
 * Writes the store of `<dataDir>/leads.sqlite`, as it is at one moment, into an empty file, while server and workers go on.
 * `vacuum into` reads in one transaction: SQLite's backup API would begin again at each write of another process, which under
 * load never ends. Erased data are not copied. The result is on disk and was checked.
 * @param onProgress in bytes; the total is what the store has now
 * @returns undefined where there is no store
 * @throws where the copy is not whole: SQLite's own words, or what its check found
 */
export async function snapshotSqlite(
  dataDir: string,
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<Snapshot | undefined> {
  const source = storeFile(dataDir)
  const total = statSync(source, { throwIfNoEntry: false })?.size
  if (total === undefined) return undefined
  const timer = setInterval(
    () => onProgress(statSync(file, { throwIfNoEntry: false })?.size ?? 0, total),
    progressEveryMs,
  )
  await inThread(source, (thread) =>
    thread.call('run', { sql: 'vacuum into ?', parameters: [file] }),
  ).finally(() => clearInterval(timer))
  const content = await inThread(file, check)
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
  return { ...content, bytes: statSync(file).size }
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

type Row = Readonly<Record<string, unknown>>

async function check(thread: DatabaseThread): Promise<Omit<Snapshot, 'bytes'>> {
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
