import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runtimeAt } from './dependencies.mjs'
import { run, SetupError, say, stampAt, withProgress } from './machine.mjs'

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
      const read = await run(runtimeAt(root), ['scripts/check-operator-files.ts'], { cwd: root })
      if (!read.ok) throw new SetupError(read.output, CONFIGURATION)
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

/**
 * One hash of what dist is made of: it tells whether a build is stale, and which build a running product is.
 * @param {string} root
 * @returns {string} sha256, hex
 */
export const buildMark = (root) =>
  contentHash(root, [
    ...sources(root),
    // Pictures for sharing have the operator's words and colors.
    ...filesUnder(root, 'content'),
    ...filesUnder(root, 'site-pictures'),
  ])

/**
 * The same of dist/server, which has nothing of the operator's own files in it.
 * @param {string} root
 * @returns {string} sha256, hex
 */
export const serverMark = (root) => contentHash(root, sources(root))

/** @param {string} root */
function sources(root) {
  const settings = /^(package-lock\.json|vite\.config\.ts|tsconfig.*\.json)$/
  return [
    ...readdirSync(root).filter((name) => settings.test(name)),
    // The build's own plugins stand among the scripts.
    ...filesUnder(root, 'scripts').filter((path) =>
      /^scripts\/([^/]+\.ts|(pictures|fonts)\/.+)$/.test(path),
    ),
    ...filesUnder(root, 'src').filter((path) => !/\.test\.tsx?$/.test(path)),
  ]
}

/**
 * One hash of names and contents. Times do not count: a checkout or a copy sets them anew.
 * @param {string} root
 * @param {readonly string[]} files relative to `root`
 * @returns {string} sha256, hex
 */
export function contentHash(root, files) {
  const hash = createHash('sha256')
  for (const file of [...files].sort()) {
    const content = readFileSync(join(root, file))
    // Name and length first, so that no content can pass for another file.
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * Every file under a folder, but hidden ones: editors and file managers leave those behind.
 * @param {string} root
 * @param {string} folder relative to `root`
 * @returns {string[]} relative to `root`; none where there is no such folder
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
