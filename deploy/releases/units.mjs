import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ReleaseError } from './release-error.mjs'

const run = promisify(execFile)

/** How long a process that has said that it serves may take to answer, in milliseconds. */
const patience = 10_000

/** @param {...string} args */
const systemctl = async (...args) => (await run('systemctl', args)).stdout

/**
 * The product's processes that run, or should: those that serve visitors first (`all`, `web-…`, `worker`).
 * @returns {Promise<readonly string[]>} such as `campus-enquiry@web-1.service`
 */
export async function productUnits() {
  const said = await systemctl(
    'list-units',
    '--plain',
    '--no-legend',
    '--state=active,activating,failed',
    'campus-enquiry@*',
  ).catch((error) => {
    throw new ReleaseError(`systemd does not say what runs: ${error.stderr || error.message}`)
  })
  const names = said.split('\n').map((line) => line.trim().split(/\s+/)[0] ?? '')
  return names.filter((name) => name !== '').sort()
}

/** @param {string} unit */
export const trialOf = (unit) => unit.replace('campus-enquiry@', 'campus-enquiry-trial@')

/** @param {string} unit */
export const stop = (unit) => systemctl('stop', unit)

/**
 * Resolves when it serves (`Type=notify`), is ready and has a page.
 * @param {string} unit
 */
export async function restart(unit) {
  await systemctl('restart', unit)
  // "0.2.0, http://127.0.0.1:3001"
  const status = await systemctl('show', '--property=StatusText', '--value', unit)
  const address = /http:\S+/.exec(status)?.[0]
  if (address === undefined) throw new Error(`${unit} does not say where it is`)
  for (const path of ['/readyz', '/']) {
    const reply = await fetch(address + path, {
      signal: AbortSignal.timeout(patience),
    })
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${unit} answers ${path} with ${reply.status}`)
  }
}
