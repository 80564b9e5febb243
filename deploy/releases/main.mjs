#!/usr/bin/env node
// Installs and switches releases: docs/deploy.md. Runs on Node 20 or later without packages.
import { argv, exit, stderr, stdout, umask } from 'node:process'
import { foldersAround } from './folders.mjs'
import { installRelease } from './install.mjs'
import { ReleaseError } from './release-error.mjs'
import { switchRelease } from './switch.mjs'
import * as units from './units.mjs'

const usage = `Usage: campus-releases <verb>

  install [<git ref>]   build this ref (HEAD) of source/ in its own folder; running processes don't change
  switch <name>         try the release, make it current and restart each process in turn; if one fails, all go back
  upgrade [<git ref>]   install, then switch
  back                  make the previous release current again
  restart               restart each process in turn, for new settings
  list                  list the installed releases
`
const wrongUsage = 64

/** @param {string} text */
const say = (text) => stdout.write(`${text}\n`)

/** @param {readonly string[]} words */
async function run([verb, name, ...more]) {
  const folders = foldersAround(import.meta.dirname)
  const parts = { folders, units, say }
  if (more.length > 0) return wrong()
  switch (verb) {
    case 'install':
      return say(await installRelease(folders, name ?? 'HEAD', say))
    case 'switch':
      return name === undefined ? wrong() : switchRelease(parts, name)
    case 'upgrade':
      return switchRelease(parts, await installRelease(folders, name ?? 'HEAD', say))
    case 'back': {
      const before = folders.linked('previous')
      if (before === undefined) throw new ReleaseError('There is no release before this one.')
      return switchRelease(parts, before, { untried: true })
    }
    case 'restart': {
      const current = folders.linked('current')
      if (current === undefined) throw new ReleaseError('No release is current.')
      return switchRelease(parts, current)
    }
    case 'list':
      for (const one of folders.installed()) say(`${folders.linkedAs(one).padEnd(10)}${one}`)
      return
    default:
      return wrong()
  }
}

function wrong() {
  stderr.write(usage)
  exit(wrongUsage)
}

// The product's user must be able to read what root installs.
umask(0o022)
try {
  await run(argv.slice(2))
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  stderr.write(`${error.message}\n`)
  exit(1)
}
