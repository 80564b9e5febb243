import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { SetupError } from './setup-error.mjs'
import { stampAt } from './stamp.mjs'

const NPM_CI = [
  'ci',
  // NODE_ENV=production or a user's npm settings would leave out the tools that build and the runtime.
  '--include=dev',
  '--include=optional',
  // The packages' `engines` are about the runtime that will run them, the pinned one, and not npm's.
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/**
 * A folder's node_modules as its package-lock.json says. The stamp also names the platform, since a folder may be shared
 * with a container.
 * @param {string} folder
 * @param {import('./machine.mjs').Machine} machine
 * @param {string} title what the progress line says
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {readonly string[]} [options.args]
 * @param {() => Promise<void> | void} [options.finish] what has to follow the installation
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

    async bring() {
      stamp.remove()
      const installed = mark()
      await withProgress(title, async () => {
        // On a gentler signal npm continues for 20 s. Killed, it leaves no stamp, and the next start begins again.
        const endBy = 'SIGKILL'
        const words = [...NPM_CI, ...args]
        const { ok, output } = await run('npm', words, { cwd: folder, env, endBy })
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
