#!/usr/bin/env node
// Publishes this release's browser files to a folder that all web processes read (ASSETS_DIR), beside the files of
// other releases: see docs/deploy.md, "Many machines". It needs no packages.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { argv, env, exit, pid, stderr, stdout } from 'node:process'

/** How long after an upgrade open pages may still request the old release's files, in milliseconds. */
const keptFor = 24 * 60 * 60 * 1000
const parts = ['assets', 'pictures', 'social']

const folder = argv[2] ?? env.ASSETS_DIR
if (!folder) {
  stderr.write('Usage: node deploy/publish-assets.mjs <folder>   # or with ASSETS_DIR\n')
  exit(64)
}

const project = resolve(import.meta.dirname, '..')
const client = join(project, 'dist/client')
const present = parts.filter((part) => existsSync(join(client, part)))
// File names change with their content, so the names identify the release.
const names = present.flatMap((part) => readdirSync(join(client, part)).sort())
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
const release = `${version}-${createHash('sha256').update(names.join()).digest('hex').slice(0, 12)}`
const place = join(folder, release)
const currentFile = join(folder, '.current')

function copy() {
  // The server ignores folders whose names begin with a dot.
  const made = join(String(folder), `.${release}-${pid}`)
  for (const part of present) cpSync(join(client, part), join(made, part), { recursive: true })
  try {
    renameSync(made, place)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    // Another machine may have published the same release meanwhile.
    if (!existsSync(place)) throw error
  }
}

try {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(place)) copy()
  const before = existsSync(currentFile) ? readFileSync(currentFile, 'utf8') : release
  // The old release's files are kept for a day after the upgrade, however long ago they were published.
  const now = new Date()
  if (before !== release && existsSync(join(folder, before))) {
    utimesSync(join(folder, before), now, now)
  }
  writeFileSync(`${currentFile}-${pid}`, release)
  renameSync(`${currentFile}-${pid}`, currentFile)
  for (const name of readdirSync(folder)) {
    if (name === release || name === '.current') continue
    const leftFor = Date.now() - statSync(join(folder, name)).mtimeMs
    if (leftFor > keptFor) rmSync(join(folder, name), { recursive: true, force: true })
  }
  stdout.write(`${folder} has the browser files of ${release}.\n`)
} catch (error) {
  stderr.write(
    `The browser files could not be copied to ${folder} (${/** @type {Error} */ (error).message}). No process was ` +
      'changed. Without the files, processes of other releases cannot serve the scripts of this release’s pages.\n',
  )
  exit(1)
}
