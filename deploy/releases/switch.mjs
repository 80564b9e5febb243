import { rmSync, statSync, utimesSync } from 'node:fs'
import { linkCatalogue, linkWords } from './operators-files.mjs'
import { ReleaseError } from './release-error.mjs'

/** Pages that visitors have open ask for its scripts so long, in milliseconds. */
const keptFor = 24 * 60 * 60 * 1000

/** @typedef {import('./folders.mjs').Folders} Folders */
/** @typedef {typeof import('./units.mjs')} Units */
/** @typedef {{ folders: Folders, units: Units, say: (text: string) => void }} Parts */

/**
 * Makes a release the one that runs. Visitors meet it only once it has served on its own; where a process does not come
 * up with it, all go back to the release before.
 * @param {Parts} parts
 * @param {string} name
 * @param {{ untried?: boolean }} [how] a release that ran before is not tried: going back is to be quick
 */
export async function switchRelease(parts, name, { untried = false } = {}) {
  const { folders, units, say } = parts
  if (!folders.isInstalled(name))
    throw new ReleaseError(`${name} is not installed: campus-releases list`)
  linkCatalogue(folders.release(name))
  linkWords(folders.release(name))
  const before = folders.linked('current')
  // Finishes a switch that was interrupted, too.
  if (before === name) return restartInTurn(parts, name)
  const running = await units.productUnits()
  const [first] = running
  if (first !== undefined && !untried) await tryRelease(parts, name, first)

  const putBack = makeCurrent(folders, name, before)
  say(`${name} is current.`)
  const restarted = []
  for (const unit of running) {
    restarted.push(unit)
    try {
      await units.restart(unit)
      say(`${unit} serves with it.`)
    } catch (error) {
      say(`${unit} does not: ${inWords(error)}`)
      putBack()
      await goBack(parts, before, restarted)
    }
  }
  if (first === undefined) say('Nothing runs: systemctl enable --now campus-enquiry@all')
  removeOld(parts)
}

/**
 * One after the other, so that somebody serves. Stops at the first that does not. Each one's settings are tried before any
 * is stopped: what serves must not end on a setting that is at fault.
 * @param {Parts} parts
 * @param {string} current
 */
async function restartInTurn(parts, current) {
  const { units, say } = parts
  const running = await units.productUnits()
  for (const unit of running) await tryRelease(parts, current, unit)
  for (const unit of running) {
    await units.restart(unit).catch((error) => {
      throw new ReleaseError(
        `${unit} does not serve: ${inWords(error)}\nThose after it were left alone. Why: journalctl -u ${unit} -n 50`,
      )
    })
    say(`${unit} serves with ${current}.`)
  }
}

/**
 * @param {Parts} parts
 * @param {string} name
 * @param {string} unit
 */
async function tryRelease({ folders, units, say }, name, unit) {
  const trial = units.trialOf(unit)
  folders.link('next', name)
  try {
    await units.restart(trial)
    say(`${name} serves, tried with the settings of ${unit}.`)
  } catch (error) {
    throw new ReleaseError(
      `${name} does not serve with the settings of ${unit}, and nothing that runs was changed: ${inWords(error)}\nWhy: journalctl -u ${trial} -n 50`,
    )
  } finally {
    await units.stop(trial).catch(() => undefined)
  }
}

/**
 * @param {Folders} folders
 * @param {string} name
 * @param {string | undefined} before
 * @returns {() => void} puts the links back
 */
function makeCurrent(folders, name, before) {
  const beforeThat = folders.linked('previous')
  if (before !== undefined && folders.isInstalled(before)) {
    // How long ago it was left: see removeOld.
    const now = new Date()
    utimesSync(folders.release(before), now, now)
    folders.link('previous', before)
  }
  folders.link('current', name)
  return () => {
    if (before !== undefined) folders.link('current', before)
    if (beforeThat !== undefined) folders.link('previous', beforeThat)
  }
}

/**
 * @param {Parts} parts
 * @param {string | undefined} before
 * @param {readonly string[]} restarted
 * @returns {Promise<never>}
 */
async function goBack({ units, say }, before, restarted) {
  const why = `Why: journalctl -u ${restarted.at(-1)} -n 50`
  if (before === undefined) throw new ReleaseError(`There is no release before it.\n${why}`)
  for (const unit of restarted.toReversed()) {
    await units.restart(unit).then(
      () => say(`${unit} serves with ${before} again.`),
      (error) => say(`${unit} does not serve with ${before} either: ${inWords(error)}`),
    )
  }
  throw new ReleaseError(`${before} is current again.\n${why}`)
}

/** @param {Parts} parts */
function removeOld({ folders, say }) {
  for (const name of folders.installed()) {
    const leftFor = Date.now() - statSync(folders.release(name)).mtimeMs
    if (folders.linkedAs(name) !== '' || leftFor < keptFor) continue
    rmSync(folders.release(name), { recursive: true, force: true })
    say(`${name} was left more than a day ago, and is removed.`)
  }
}

/** @param {unknown} error */
function inWords(error) {
  const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error)
  return (stderr || message).trim()
}
