import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runtimeAt } from './dependencies.mjs'
import { run, SetupError, say, stampAt, withProgress } from './machine.mjs'

const VITE_BUILD = ['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn']

/** EX_CONFIG of sysexits.h, the exit code for faults in the operator's files. */
const CONFIGURATION = 78

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * Builds the pages and the server into dist. A fault in content/ or site-pictures/ ends the build before it begins.
 * @param {string} root
 * @param {Machine} machine
 */
export function build(root, machine) {
  const { whole, server } = stampsAt(root)
  return {
    isStale: () => !whole.reads(buildMark(root)),

    async update() {
      const read = await run(runtimeAt(root), ['scripts/check-operator-files.ts'], { cwd: root })
      if (!read.ok) throw new SetupError(read.output, CONFIGURATION)
      whole.remove()
      server.remove()
      // The hashes are taken before the build, so that a file that is edited meanwhile makes the build stale.
      const [built, builtServer] = [buildMark(root), serverMark(root)]
      await runBuild(root, machine)
      whole.write(built)
      server.write(builtServer)
    },
  }
}

/**
 * Builds the operator's commands into dist/server. Commands need no pages, so they build even with a fault in content/.
 * @param {string} root
 * @param {Machine} machine
 */
export function buildCommands(root, machine) {
  const { whole, server } = stampsAt(root)
  return {
    isStale: () => !server.reads(serverMark(root)) && !whole.reads(buildMark(root)),

    async update() {
      // The pages in dist now have other sources than these commands, so the next start must build everything.
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
 * @param {Machine} machine
 * @param {Record<string, string>} [more]
 */
async function runBuild(root, machine, more = {}) {
  // With another NODE_ENV, the product would contain React's slow development build.
  const env = { ...machine.env, NODE_ENV: 'production', ...more }
  const { output } = await withProgress('Building', async () => {
    const result = await run(runtimeAt(root), VITE_BUILD, { cwd: root, env })
    if (result.ok) return result
    throw new SetupError(`${result.output}\n\nThe build failed: the output above says where.`)
  })
  if (output !== '') say(output)
}

/**
 * Hashes all sources of dist. The hash shows whether a build is stale, and which build a running product is.
 * @param {string} root
 * @returns {string} sha256, hex
 */
export const buildMark = (root) =>
  contentHash(root, [
    ...sources(root),
    // Social images show the operator's texts and colors.
    ...filesUnder(root, 'content'),
    ...filesUnder(root, 'site-pictures'),
  ])

/**
 * Hashes the sources of dist/server, without the operator's files.
 * @param {string} root
 * @returns {string} sha256, hex
 */
export const serverMark = (root) => contentHash(root, sources(root))

/** @param {string} root */
function sources(root) {
  const settings = /^(package(-lock)?\.json|vite\.config\.ts|tsconfig.*\.json)$/
  return [
    ...readdirSync(root).filter((name) => settings.test(name)),
    // The folder scripts contains the build's plugins.
    ...filesUnder(root, 'scripts').filter((path) =>
      /^scripts\/([^/]+\.ts|(pictures|fonts)\/.+)$/.test(path),
    ),
    ...filesUnder(root, 'src').filter((path) => !/\.test\.tsx?$/.test(path)),
  ]
}

/**
 * Hashes the names and contents of files. It ignores times, because a checkout or a copy changes them.
 * @param {string} root
 * @param {readonly string[]} files relative to `root`
 * @returns {string} sha256, hex
 */
export function contentHash(root, files) {
  const hash = createHash('sha256')
  for (const file of [...files].sort()) {
    const content = readFileSync(join(root, file))
    // The hash includes each name and length, so that different files cannot give the same input.
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * Lists every file under a folder except hidden files, which editors and file managers leave behind.
 * @param {string} root
 * @param {string} folder relative to `root`
 * @returns {string[]} relative to `root`; empty if the folder does not exist
 */
export function filesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesUnder(root, path) : [path]
    })
}
