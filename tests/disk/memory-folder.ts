import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { env, kill, pid } from 'node:process'

const memory = '/dev/shm'
const prefix = 'campus-enquiry-tests-'

/** Room for PostgreSQL's log, two databases for each place of a store, and the stores of SQLite. */
const neededBytes = 2 * 1024 ** 3

/**
 * Puts the temporary files of a test run into memory if this machine lets it, because both databases wait for the disk at
 * each commit. What a disk keeps is the subject of the tests in tests/faults that cut its power, on a disk of their own.
 */
export default function useMemoryFolder(): (() => void) | undefined {
  if (env.TMPDIR?.startsWith(memory)) return undefined
  removeAbandoned()
  if (!hasRoom()) return undefined
  const folder = join(memory, prefix + pid)
  mkdirSync(folder)
  // Like /tmp, because PostgreSQL may run as another user.
  chmodSync(folder, 0o1777)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (!runsPrograms(folder)) {
    remove()
    return undefined
  }
  env.TMPDIR = folder
  return remove
}

const hasRoom = (): boolean => {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes
}

/** Containers often forbid it. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  }
}

/** Removes the folders of runs that were killed. */
function removeAbandoned(): void {
  if (!existsSync(memory)) return
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix)) continue
    try {
      kill(Number(name.slice(prefix.length)), 0)
    } catch {
      rmSync(join(memory, name), { recursive: true, force: true })
    }
  }
}
