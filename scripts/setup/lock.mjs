import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 200

/**
 * Runs `work` while no other process does so in the same clone. The lock file names its holder. A dead holder's lock is
 * free, so a killed setup leaves nothing to clean up.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} [onWait] called once with the process that holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait) {
  mkdirSync(dirname(file), { recursive: true })
  for (let isTold = false; !take(file); isTold = true) {
    if (!isTold) onWait?.(Number.parseInt(holderOf(file), 10))
    await wait(POLL_MS)
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

/** @param {string} file */
function take(file) {
  if (!isAlive(holderOf(file))) rmSync(file, { recursive: true, force: true })
  try {
    writeFileSync(file, `${process.pid}-${startOf(process.pid)}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} file */
function holderOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Returns when a process started, in kernel ticks, because containers reuse a few process ids. A zombie counts as
 * ended. proc(5) defines the field numbers.
 * @param {number} pid
 * @returns {string} empty if the system has no /proc, or no such process
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (fields[0] !== 'Z' && fields[19]) || ''
  } catch {
    return ''
  }
}

/** @param {string} holder */
function isAlive(holder) {
  const [pid, start] = holder.split('-')
  if (start) return startOf(Number(pid)) === start
  if (!pid) return false
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
