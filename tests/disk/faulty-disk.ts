import { existsSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { compiled } from './compiled.ts'

export interface FaultyDisk {
  /** Variables for a process whose writes below the folder this disk controls. */
  readonly env: Readonly<Record<string, string>>
  /** Makes every fsync take longer. */
  slowDown(ms: number): void
  /** Refuses every write, even over existing bytes: the disk is full, broken or read-only. */
  failWith(error: 'ENOSPC' | 'EIO' | 'EROFS'): void
  /**
   * Refuses commits of more than so many bytes. A disk that fills up behaves like this for a while, because a failed
   * transaction frees space.
   */
  fillBut(bytes: number): void
  /** Reports each fsync as done without doing it, so that a power cut loses data that a process believes to be kept. */
  lie(): void
  /** Ends all faults. */
  heal(): void
}

/**
 * Makes a disk that is slow or fails on request while processes use it: a library between the processes and the
 * system's own (LD_PRELOAD) reads its orders from a shared file. It needs Linux and a C compiler.
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
