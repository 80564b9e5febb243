import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A tool that says nothing for so long (a stub that waits for a network, say) counts as absent. */
const ANSWER_TIMEOUT_MS = 20_000

/**
 * What the finders may ask of the computer they run on. Tests hand in another.
 * @typedef {object} Machine
 * @property {NodeJS.ProcessEnv} env
 * @property {string} platform as `process.platform`
 * @property {string} arch as `process.arch`
 * @property {boolean} isRoot
 * @property {(path: string) => boolean} exists
 * @property {(path: string) => boolean} isExecutable
 * @property {(folder: string) => string[]} list names in a folder; none where there is no such folder
 * @property {(command: string, args: readonly string[]) => string | undefined} answer
 *   standard output, trimmed; undefined where the command is missing, fails or hangs
 */

/** @type {Machine} */
export const thisMachine = {
  env: process.env,
  platform: process.platform,
  arch: process.arch,
  isRoot: process.getuid?.() === 0,
  exists: existsSync,
  isExecutable(path) {
    try {
      accessSync(path, constants.X_OK)
      return statSync(path).isFile()
    } catch {
      return false
    }
  },
  list(folder) {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  },
  answer(command, args) {
    const { status, stdout } = spawnSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ANSWER_TIMEOUT_MS,
    })
    return status === 0 ? stdout.trim() : undefined
  },
}

/**
 * Where a command stands on the PATH, all places, first come first.
 * @param {Machine} machine
 * @param {string} command
 * @returns {string[]}
 */
export function onPath({ env, isExecutable }, command) {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, command))
    .filter(isExecutable)
}
