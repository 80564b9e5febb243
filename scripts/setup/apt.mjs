import { onPath } from './machine.mjs'
import { run } from './run.mjs'

/** Another apt-get that runs just now is waited for, rather than failed on. */
const OPTIONS = ['-qq', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300']

/**
 * Debian's packages, where there are any and we may install them without asking for a password.
 * @param {import('./machine.mjs').Machine} machine
 * @param {(pid: number) => void} onStart
 * @returns {Apt | undefined}
 *
 * @typedef {object} Apt
 * @property {(command: string, args: readonly string[]) => Promise<{ ok: boolean, output: string }>} asRoot
 * @property {(packages: readonly string[]) => Promise<{ ok: boolean, output: string }>} install
 */
export function aptOf(machine, onStart) {
  if (!machine.exists('/etc/debian_version') || onPath(machine, 'apt-get').length === 0) return
  const mayBecomeRoot = machine.isRoot || machine.answer('sudo', ['-n', 'true']) !== undefined
  if (!mayBecomeRoot) return

  /** @type {Apt['asRoot']} */
  const asRoot = (command, args) => {
    const words = ['env', 'DEBIAN_FRONTEND=noninteractive', command, ...args]
    const [first, ...rest] = machine.isRoot ? words : ['sudo', '-n', ...words]
    return run(/** @type {string} */ (first), rest, { onStart })
  }
  let isUpdated = false
  return {
    asRoot,
    async install(packages) {
      // One unreachable extra archive fails the update. What counts is whether the packages then install.
      if (!isUpdated) await asRoot('apt-get', ['-qq', 'update'])
      isUpdated = true
      return asRoot('apt-get', [...OPTIONS, 'install', ...packages])
    },
  }
}
