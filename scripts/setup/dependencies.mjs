import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { hasRuntime, refuseHopelessPlatform, repairRuntime } from './runtime.mjs'
import { SetupError } from './setup-error.mjs'
import { stampAt } from './stamp.mjs'

const NPM_CI = [
  'ci',
  // NODE_ENV=production or a user's npm settings would leave out the tools that build and the runtime.
  '--include=dev',
  '--include=optional',
  // The packages' `engines` speak of the runtime that will run them. That is the pinned one, not npm's.
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/**
 * node_modules as package-lock.json has it, with a runtime that answers.
 * @param {string} root
 * @param {import('./machine.mjs').Machine} machine
 */
export function dependencies(root, machine) {
  const stamp = stampAt(join(root, 'node_modules', '.installed'))
  return {
    isStale: () => !stamp.reads(markOf(root, machine)) || !hasRuntime(root, machine),

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      refuseHopelessPlatform(root, machine)
      stamp.remove()
      const mark = markOf(root, machine)
      const env = {
        ...withoutOwnBin(root, machine.env),
        PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
      }
      await withProgress('Installing dependencies (first start, about a minute)', async () => {
        // On a gentler signal npm goes on for 20 s. Killed it leaves no stamp, and the next start begins anew.
        const endBy = 'SIGKILL'
        const { ok, output } = await run('npm', NPM_CI, { cwd: root, env, onStart, endBy })
        if (ok) return
        throw new SetupError(
          `${output}\n\nThe dependencies could not be installed: npm's own words are above.\n` +
            'Check that the npm registry can be reached (npm ping), then run the command again.',
        )
      })
      await repairRuntime(root, machine, onStart)
      stamp.write(mark)
    },
  }
}

/**
 * @param {string} root
 * @param {import('./machine.mjs').Machine} machine
 */
function markOf(root, { platform, arch }) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).update(`\0${platform}\0${arch}`).digest('hex')
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
