import { join } from 'node:path'
import { buildMark } from './build-mark.mjs'
import { say, withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { runtimeAt } from './runtime.mjs'
import { SetupError } from './setup-error.mjs'
import { stampAt } from './stamp.mjs'

const VITE_BUILD = ['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn']

/**
 * What is served, in dist.
 * @param {string} root
 * @param {import('./machine.mjs').Machine} machine
 */
export function build(root, machine) {
  const stamp = stampAt(join(root, 'dist', '.built'))
  const mark = () => buildMark(root)
  return {
    isStale: () => !stamp.reads(mark()),

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      stamp.remove()
      // Taken before the build: what is edited meanwhile is then stale afterwards.
      const built = mark()
      // A NODE_ENV of the caller's would put React's slow development build into the product.
      const env = { ...machine.env, NODE_ENV: 'production' }
      const { output } = await withProgress('Building', async () => {
        const result = await run(runtimeAt(root), VITE_BUILD, { cwd: root, env, onStart })
        if (result.ok) return result
        throw new SetupError(`${result.output}\n\nThe build failed: the words above say where.`)
      })
      if (output !== '') say(output)
      stamp.write(built)
    },
  }
}
