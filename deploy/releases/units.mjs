import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ReleaseError } from './release-error.mjs'

const run = promisify(execFile)

/** How long a process that has said that it serves may take to answer, in milliseconds. */
const patience = 10_000

const misdirected = 421

/** @param {...string} args */
const systemctl = async (...args) => (await run('systemctl', args)).stdout

/**
 * Those that serve visitors first (`all`, `web-…`, `worker`), the console last: the first one's settings are those that a
 * release is tried with, and a page of the site is what has to be seen.
 * @param {readonly string[]} units
 */
const visitorsFirst = (units) =>
  units.toSorted(
    (one, other) => Number(isConsole(one)) - Number(isConsole(other)) || (one < other ? -1 : 1),
  )

/** @param {string} unit */
const isConsole = (unit) => unit.startsWith('campus-enquiry@console')

/**
 * The product's processes that run, or should.
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
  return visitorsFirst(names.filter((name) => name !== ''))
}

/** @param {string} unit */
export const trialOf = (unit) => unit.replace('campus-enquiry@', 'campus-enquiry-trial@')

/**
 * A trial that failed is forgotten, too: nothing that is to run has failed, and who watches `systemctl --failed` need not come.
 * Its journal stays.
 * @param {string} unit
 */
export async function stop(unit) {
  await systemctl('stop', unit)
  // It is refused where the unit had not failed, and systemd has let go of it already.
  await systemctl('reset-failed', unit).catch(() => undefined)
}

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
    // A console with a name of its own answers to that name alone: it is there.
    if (!reply.ok && reply.status !== misdirected)
      throw new Error(`${unit} answers ${path} with ${reply.status}`)
  }
}
