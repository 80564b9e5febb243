import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { stderr } from 'node:process'

/** A tool that does not answer in this time (in milliseconds) counts as absent, such as a stub that waits for a network. */
const ANSWER_TIMEOUT_MS = 20_000

/**
 * The functions that inspect this computer. Tests replace them.
 * @typedef {object} Machine
 * @property {NodeJS.ProcessEnv} env
 * @property {string} platform as `process.platform`
 * @property {string} arch as `process.arch`
 * @property {boolean} isRoot
 * @property {(path: string) => boolean} exists
 * @property {(path: string) => boolean} isExecutable
 * @property {(command: string, args: readonly string[]) => string | undefined} answer returns standard output, trimmed;
 * undefined if the command is missing, fails or hangs
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
 * Lists all paths of a command, in the order of the PATH.
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

/** An error whose message says what happened and what to do. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.name = 'SetupError'
    this.exitCode = exitCode
  }
}

/**
 * Running tools, and the signal that ends each.
 * @type {Map<import('node:child_process').ChildProcess, NodeJS.Signals>}
 */
const children = new Map()

/** The limit of a tool's kept output in characters, which is enough to find a fault. */
const KEPT_CHARACTERS = 60_000

/**
 * Runs a tool to its end, and collects its output to show if the tool fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {NodeJS.Signals} [options.endSignal] the signal that ends the tool if the setup is interrupted
 * @returns {Promise<{ ok: boolean, output: string }>} a missing tool is not `ok` either
 */
export function run(command, args, { cwd, env = process.env, endSignal = 'SIGTERM' } = {}) {
  return new Promise((resolve) => {
    // The output is shown in a log or after the tool has ended, where color codes would disturb.
    const plain = { ...env, NO_COLOR: '1', FORCE_COLOR: undefined }
    const child = spawn(command, args, { cwd, env: plain, stdio: ['ignore', 'pipe', 'pipe'] })
    children.set(child, endSignal)
    let output = ''
    const keep = (/** @type {string} */ text) => {
      output = (output + text).slice(-KEPT_CHARACTERS)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('error', (error) => {
      children.delete(child)
      resolve({ ok: false, output: `${command}: ${error.message}` })
    })
    child.on('close', (code, signal) => {
      children.delete(child)
      if (signal) keep(`${command} was ended by ${signal}\n`)
      resolve({ ok: code === 0, output: output.trim() })
    })
  })
}

/** Ends the tools that still run, and waits until they have ended. */
export async function endTools() {
  await Promise.all(
    [...children].map(([child, endSignal]) => {
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill(endSignal)
      return gone
    }),
  )
}

/**
 * Says on stderr that `work` is running, and for how long it ran. Standard output is left to the command that follows.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} the result of `work`
 */
export async function withProgress(title, work) {
  const startedAt = performance.now()
  say(`${title} …`)
  const result = await work()
  say(`${title} … done in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  return result
}

/** @param {string} message */
export function say(message) {
  stderr.write(`${message}\n`)
}

/**
 * Records for which input a step was last completed. The stamp is removed before the step and written after it, so an
 * interrupted step runs again.
 * @param {string} file
 */
export function stampAt(file) {
  return {
    /** @param {string} mark */
    reads(mark) {
      try {
        return readFileSync(file, 'utf8') === mark
      } catch {
        return false
      }
    },
    remove() {
      rmSync(file, { force: true })
    },
    /** @param {string} mark */
    write(mark) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, mark)
    },
  }
}
