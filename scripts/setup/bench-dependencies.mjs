import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { SetupError } from './setup-error.mjs'
import { stampAt } from './stamp.mjs'

const NPM_CI = [
  'ci',
  // A user's npm settings may speak of production; and nothing of this needs an install script.
  '--include=dev',
  '--ignore-scripts',
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/**
 * bench/node_modules as bench/package-lock.json has it: Lighthouse alone is larger than all of the product's own
 * dependencies, and only the benchmarks need it.
 * @param {string} root
 * @param {import('./machine.mjs').Machine} machine
 */
export function benchDependencies(root, machine) {
  const folder = join(root, 'bench')
  const stamp = stampAt(join(folder, 'node_modules', '.installed'))
  return {
    isStale: () => !stamp.reads(markOf(folder)),

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      stamp.remove()
      const mark = markOf(folder)
      await withProgress('Installing what the benchmarks need', async () => {
        // As for the product's own: see dependencies.mjs.
        const endBy = 'SIGKILL'
        const { ok, output } = await run('npm', NPM_CI, {
          cwd: folder,
          env: machine.env,
          onStart,
          endBy,
        })
        if (ok) return
        throw new SetupError(
          `${output}\n\nWhat the benchmarks need could not be installed: npm's own words are above.\n` +
            'Check that the npm registry can be reached (npm ping), then run the command again.',
        )
      })
      stamp.write(mark)
    },
  }
}

/** @param {string} folder */
function markOf(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
}
