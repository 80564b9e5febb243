#!/usr/bin/env node
// Puts this release's browser files into a folder that all web processes read (ASSETS_DIR), beside those of other releases:
// docs/deploy.md, "Many machines". On nothing but what Node brings, as it runs in a container that then ends.
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

/** Pages that visitors have open ask for its files so long after a release was left, in milliseconds. */
const keptFor = 24 * 60 * 60 * 1000
const parts = ['assets', 'pictures', 'social']

/**
 * @param {string} project
 * @param {string} folder
 */
function publish(project, folder) {
  const client = join(project, 'dist/client')
  const present = parts.filter((part) => existsSync(join(client, part)))
  // Names change with content.
  const names = present.flatMap((part) => readdirSync(join(client, part)).sort())
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const name = `${version}-${createHash('sha256').update(names.join()).digest('hex').slice(0, 12)}`
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, name))) {
    // With a dot before it nobody serves from it.
    const made = join(folder, `.${name}-${pid}`)
    for (const part of present) cpSync(join(client, part), join(made, part), { recursive: true })
    moveTo(made, join(folder, name))
  }
  makeCurrent(folder, name)
  removeOld(folder, name)
  stdout.write(`${folder} has the browser files of ${name}.\n`)
}

/**
 * @param {string} made
 * @param {string} place another machine may have put the same there meanwhile
 */
function moveTo(made, place) {
  try {
    renameSync(made, place)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
}

/**
 * @param {string} folder
 * @param {string} name
 */
function makeCurrent(folder, name) {
  const file = join(folder, '.current')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : name
  if (before !== name && existsSync(join(folder, before))) {
    // It is left now, however long ago it came: see removeOld.
    const now = new Date()
    utimesSync(join(folder, before), now, now)
  }
  writeFileSync(`${file}-${pid}`, name)
  renameSync(`${file}-${pid}`, file)
}

/**
 * @param {string} folder
 * @param {string} current
 */
function removeOld(folder, current) {
  for (const name of readdirSync(folder)) {
    if (name === current || name === '.current') continue
    const leftFor = Date.now() - statSync(join(folder, name)).mtimeMs
    if (leftFor > keptFor) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

const folder = argv[2] ?? env.ASSETS_DIR
if (!folder) {
  stderr.write('Usage: node deploy/publish-assets.mjs <folder>   # or with ASSETS_DIR\n')
  exit(64)
}
try {
  publish(resolve(import.meta.dirname, '..'), folder)
} catch (error) {
  stderr.write(
    `The browser files could not be put into ${folder} (${/** @type {Error} */ (error).message}). Nothing that runs was ` +
      'changed; until it is done, a page of this release may not get its scripts from a process of another one.\n',
  )
  exit(1)
}
