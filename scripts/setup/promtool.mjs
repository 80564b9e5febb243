import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { keptJson } from './kept-json.mjs'
import { onPath } from './machine.mjs'
import { withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { SetupError } from './setup-error.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * Prometheus' own judge of alert rules. Where it stands is kept in node_modules/.cache/promtool.json.
 * @param {string} root
 * @param {Machine} machine
 */
export function promtool(root, machine) {
  const kept = keptJson(join(root, 'node_modules', '.cache', 'promtool.json'))
  return {
    isStale() {
      const path = kept.read()?.path
      const asked = machine.env.PROMTOOL_PATH || path
      return path === undefined || asked !== path || !machine.isExecutable(path)
    },

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      kept.write({ path: findPromtool(root, machine) ?? (await install(root, machine, onStart)) })
    },
  }
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @returns {string | undefined} path of the executable
 */
export function findPromtool(root, machine) {
  const asked = machine.env.PROMTOOL_PATH
  if (asked) {
    if (machine.isExecutable(asked)) return asked
    throw new SetupError('PROMTOOL_PATH does not name a program. Correct it, or unset it.')
  }
  return [...onPath(machine, 'promtool'), unpacked(root)].find(machine.isExecutable)
}

/** @param {string} root */
const folderOf = (root) => join(root, '.cache', 'promtool')

/** @param {string} root */
const unpacked = (root) => join(folderOf(root), 'usr', 'bin', 'promtool')

/**
 * Debian's package is fetched and the one program taken out of it, by whoever runs this: installed, it would start a
 * Prometheus that watches this machine.
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 */
function install(root, machine, onStart) {
  return withProgress('Fetching promtool for the tests of the alert rules', async () => {
    const folder = folderOf(root)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const { output } = await run('sh', ['-c', fetching], { cwd: folder, env: machine.env, onStart })
    const found = findPromtool(root, machine)
    if (found !== undefined) return found
    throw new SetupError(
      `${output}\n\nThe alert rules are tested by promtool, and it could not be fetched: the words above say why.\n` +
        'Install Prometheus by your system’s means (macOS: brew install prometheus), so that promtool is on the PATH, ' +
        'or set PROMTOOL_PATH to it, and run the command again.',
    )
  })
}

/** A fresh container has no lists of packages, and who is not root may not fetch them for all: so they lie here, too. */
const fetching = `
  apt-get -qq download prometheus || {
    mkdir -p lists/partial archives/partial &&
    own="-o Dir::State::Lists=$PWD/lists -o Dir::Cache=$PWD -o Dir::Cache::Archives=$PWD/archives" &&
    apt-get -qq $own update &&
    apt-get -qq $own download prometheus
  } &&
  dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool &&
  rm -rf prometheus_*.deb lists archives *.bin`
