import { join } from 'node:path'
import { buildMark, serverMark } from './build-mark.mjs'
import { say, withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { runtimeAt } from './runtime.mjs'
import { SetupError } from './setup-error.mjs'
import { stampAt } from './stamp.mjs'

const VITE_BUILD = ['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn']

/** The exit code of a fault in what the operator has written: EX_CONFIG of sysexits.h. */
const CONFIGURATION = 78

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * What is served, in dist. A fault in content/ or site-pictures/ ends it before anything is built.
 * @param {string} root
 * @param {Machine} machine
 */
export function build(root, machine) {
  const { whole, server } = stampsAt(root)
  return {
    isStale: () => !whole.reads(buildMark(root)),

    async bring() {
      await refuseFaultyFiles(root)
      whole.remove()
      server.remove()
      // Taken before the build: what is edited meanwhile is then stale afterwards.
      const [built, builtServer] = [buildMark(root), serverMark(root)]
      await runBuild(root, machine)
      whole.write(built)
      server.write(builtServer)
    },
  }
}

/**
 * What the operator's commands run, in dist/server: it needs no pages, and so builds with a fault in content/, too.
 * @param {string} root
 * @param {Machine} machine
 */
export function buildCommands(root, machine) {
  const { whole, server } = stampsAt(root)
  return {
    isStale: () => !server.reads(serverMark(root)) && !whole.reads(buildMark(root)),

    async bring() {
      // The pages in dist are of other sources than these commands, so a start builds all of it.
      whole.remove()
      server.remove()
      const built = serverMark(root)
      await runBuild(root, machine, { BUILD_ONLY: 'ssr' })
      server.write(built)
    },
  }
}

/** @param {string} root */
const stampsAt = (root) => ({
  whole: stampAt(join(root, 'dist', '.built')),
  server: stampAt(join(root, 'dist', '.built-server')),
})

/**
 * @param {string} root
 */
async function refuseFaultyFiles(root) {
  const read = await run(runtimeAt(root), ['scripts/check-operator-files.ts'], {
    cwd: root,
  })
  if (!read.ok) throw new SetupError(read.output, CONFIGURATION)
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {Record<string, string>} [more]
 */
async function runBuild(root, machine, more = {}) {
  // A NODE_ENV of the caller's would put React's slow development build into the product.
  const env = { ...machine.env, NODE_ENV: 'production', ...more }
  const { output } = await withProgress('Building', async () => {
    const result = await run(runtimeAt(root), VITE_BUILD, { cwd: root, env })
    if (result.ok) return result
    throw new SetupError(`${result.output}\n\nThe build failed: the words above say where.`)
  })
  if (output !== '') say(output)
}
