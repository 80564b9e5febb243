import { spawn } from 'node:child_process'

/**
 * What runs, and by which signal it is to be ended.
 * @type {Map<import('node:child_process').ChildProcess, NodeJS.Signals>}
 */
const children = new Map()

/** Enough of a tool's output to find the fault in, without keeping a runaway log in memory. */
const KEPT_CHARACTERS = 60_000

/**
 * Runs a tool to its end with its output kept aside, to be shown only where it failed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {NodeJS.Signals} [options.endBy] how to end it when the set-up itself is asked to end
 * @returns {Promise<{ ok: boolean, output: string }>} a tool that is not there is not `ok` either
 */
export function run(command, args, { cwd, env = process.env, endBy = 'SIGTERM' } = {}) {
  return new Promise((resolve) => {
    // What is kept is shown in a log or after the fact, where colour codes are noise.
    const plain = { ...env, NO_COLOR: '1', FORCE_COLOR: undefined }
    const child = spawn(command, args, { cwd, env: plain, stdio: ['ignore', 'pipe', 'pipe'] })
    children.set(child, endBy)
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

/** Ends the tools that still run, and waits until they are gone. */
export async function endTools() {
  await Promise.all(
    [...children].map(([child, endBy]) => {
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill(endBy)
      return gone
    }),
  )
}
