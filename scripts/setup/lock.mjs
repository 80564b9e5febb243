import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 200

/**
 * Runs `work` while no other process does so in the same clone. The lock is a folder that holds one empty file
 * for each process that works under it, named by process id and start time. It is free once all of these are
 * dead: so a killed set-up leaves nothing to clean by hand, and an installer that outlived it is waited for.
 * @template T
 * @param {string} folder
 * @param {(alsoHeldBy: (pid: number) => void) => Promise<T>} work is handed a way to add its own children
 * @param {(pids: number[]) => void} [onWait] told once who is being waited for
 * @returns {Promise<T>}
 */
export async function withLock(folder, work, onWait) {
  mkdirSync(dirname(folder), { recursive: true })
  for (let told = false; !take(folder); told = true) {
    if (!told) onWait?.(holders(folder).map((name) => Number.parseInt(name, 10)))
    await wait(POLL_MS)
  }
  const ours = [holderName(process.pid)]
  // By name: the moment the folder is empty, the next process may have moved its own file in.
  const release = () => {
    for (const name of ours) rmSync(join(folder, name), { force: true })
  }
  process.once('exit', release)
  try {
    return await work((pid) => {
      ours.push(holderName(pid))
      writeFileSync(join(folder, holderName(pid)), '')
    })
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

/**
 * A folder can be renamed onto an empty one but never onto a full one, in one step of the file system. And a
 * dead holder's file is removed by its own name, so a taker can never remove what a living one just put there.
 * @param {string} folder
 */
function take(folder) {
  for (const name of holders(folder)) {
    if (!isAlive(name)) rmSync(join(folder, name), { force: true })
  }
  const ours = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(ours, holderName(process.pid)), '')
    renameSync(ours, folder)
    return true
  } catch (error) {
    rmSync(ours, { recursive: true, force: true })
    const code = /** @type {NodeJS.ErrnoException} */ (error).code
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} folder */
function holders(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** @param {number} pid */
function holderName(pid) {
  return `${pid}-${startOf(pid) ?? 'unknown'}`
}

/**
 * When the process started, in the kernel's ticks: containers use the same few process ids again and again.
 * A zombie has ended. Field numbers: proc(5).
 * @param {number} pid
 * @returns {string | undefined} undefined where the system has no /proc, or no such process
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/** @param {string} name */
function isAlive(name) {
  const [pid, start] = name.split('-')
  if (start !== 'unknown') return startOf(Number(pid)) === start
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
