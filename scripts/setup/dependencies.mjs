import { delimiter, join } from 'node:path'
import { npmPackages } from './npm-packages.mjs'
import { hasRuntime, refuseHopelessPlatform, repairRuntime } from './runtime.mjs'

/**
 * node_modules as package-lock.json says, with a runtime that answers.
 * @param {string} root
 * @param {import('./machine.mjs').Machine} machine
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

    async bring() {
      refuseHopelessPlatform(root, machine)
      await packages.bring()
    },
  }
}

/**
 * `npm start` puts node_modules/.bin first, so npm itself would run on the very Node that it is about to replace.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
function withoutOwnBin(root, env) {
  const own = join(root, 'node_modules', '.bin')
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== own)
  return { ...env, PATH: folders.join(delimiter) }
}
