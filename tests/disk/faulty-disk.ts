import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'

const source = join(import.meta.dirname, 'faulty-disk.c')
const cache = resolve(import.meta.dirname, '../../node_modules/.cache')

export interface FaultyDisk {
  /** To be added to the environment of a process: what it writes below the folder obeys this disk. */
  readonly env: Readonly<Record<string, string>>
  /** Every fsync takes that much longer. */
  slowDown(ms: number): void
  /** Full, broken, or read-only: no byte is written any more, not even over old ones. */
  failWith(error: 'ENOSPC' | 'EIO' | 'EROFS'): void
  /** As quick and sound as it really is. */
  heal(): void
}

/**
 * A disk that is slow or fails on order while processes run on it: a library between them and the system's own
 * (LD_PRELOAD), which takes its orders from a file that they share. It works on Linux alone and needs a C compiler.
 * @param folder must exist
 */
export function makeFaultyDisk(folder: string): FaultyDisk {
  const library = compiled()
  const ordersFile = join(resolve(folder), '.faulty-disk-orders')
  const order = (error: number, syncDelayMs: number) =>
    writeFileSync(ordersFile, new Int32Array([error, syncDelayMs]), {
      flag: existsSync(ordersFile) ? 'r+' : 'w',
    })
  order(0, 0)
  return {
    env: {
      LD_PRELOAD: library,
      FAULTY_DISK_FOLDER: resolve(folder),
      FAULTY_DISK_ORDERS: ordersFile,
    },
    slowDown: (ms) => order(0, ms),
    failWith: (error) => order(constants.errno[error], 0),
    heal: () => order(0, 0),
  }
}

/** The library, compiled where this version of it has not been before. */
function compiled(): string {
  if (process.platform !== 'linux') throw new Error('The faulty disk needs LD_PRELOAD: Linux only.')
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12)
  const library = join(cache, `faulty-disk-${hash}.so`)
  if (existsSync(library)) return library
  mkdirSync(cache, { recursive: true })
  const unfinished = `${library}.${process.pid}`
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-o', unfinished, source, '-ldl'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(
      'The faulty disk needs a C compiler, cc: install gcc (apt install gcc libc6-dev).',
    )
  }
  renameSync(unfinished, library)
  return library
}
