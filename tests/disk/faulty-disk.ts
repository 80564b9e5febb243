import { existsSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { compiled } from './compiled.ts'

export interface FaultyDisk {
  /** To be added to the environment of a process: what it writes below the folder obeys this disk. */
  readonly env: Readonly<Record<string, string>>
  /** Every fsync takes that much longer. */
  slowDown(ms: number): void
  /** Full, broken, or read-only: no byte is written any more, not even over old ones. */
  failWith(error: 'ENOSPC' | 'EIO' | 'EROFS'): void
  /**
   * Full but for a little: what one commit writes fits where it is no more than so many bytes, the next one’s, too. So
   * it goes for a while on a disk that fills up: a transaction that failed has left room behind.
   */
  fillBut(bytes: number): void
  /** Says of each fsync that it is done, and does nothing: a power cut takes what a process believes to be kept. */
  lie(): void
  /** As quick and sound as it really is. */
  heal(): void
}

/**
 * A disk that is slow or fails on order while processes run on it: a library between them and the system's own
 * (LD_PRELOAD), which takes its orders from a file that they share. It works on Linux alone and needs a C compiler.
 * @param folder must exist
 */
export function makeFaultyDisk(folder: string): FaultyDisk {
  const library = compiled('faulty-disk', ['-shared', '-fPIC', '-ldl'])
  const ordersFile = join(resolve(folder), '.faulty-disk-orders')
  const order = ({ error = 0, syncDelayMs = 0, lies = 0, room = 0 } = {}) =>
    writeFileSync(ordersFile, new Int32Array([error, syncDelayMs, lies, room]), {
      flag: existsSync(ordersFile) ? 'r+' : 'w',
    })
  order()
  return {
    env: {
      LD_PRELOAD: library,
      FAULTY_DISK_FOLDER: resolve(folder),
      FAULTY_DISK_ORDERS: ordersFile,
    },
    slowDown: (syncDelayMs) => order({ syncDelayMs }),
    failWith: (error) => order({ error: constants.errno[error] }),
    fillBut: (bytes) => order({ error: constants.errno.ENOSPC, room: bytes }),
    lie: () => order({ lies: 1 }),
    heal: () => order(),
  }
}
