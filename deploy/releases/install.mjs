import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkWords, takePictures } from './operators-files.mjs'
import { ReleaseError } from './release-error.mjs'

/**
 * Builds a release in a folder of its own, beside those that run.
 * @param {import('./folders.mjs').Folders} folders
 * @param {string} ref
 * @param {(text: string) => void} say
 * @returns {Promise<string>} its name, such as `0.2.0-1a2b3c4`
 */
export async function installRelease(folders, ref, say) {
  const commit = git(folders, 'rev-parse', '--short=7', '--verify', `${ref}^{commit}`)
  const { version } = JSON.parse(git(folders, 'show', `${commit}:package.json`))
  const name = `${version}-${commit}`
  if (folders.isInstalled(name)) {
    say(`${name} is installed already.`)
    return name
  }
  say(`Installing ${name} …`)
  const made = folders.release(`.${name}`)
  rmSync(made, { recursive: true, force: true })
  mkdirSync(made, { recursive: true })
  must('sh', [
    '-c',
    'git -C "$1" archive "$2" | tar -x -C "$3"',
    'sh',
    folders.source,
    commit,
    made,
  ])
  takePictures(made)
  // Pictures for sharing have them.
  linkWords(made)
  must('npm', ['run', '--silent', 'build'], made)
  // 500 MB become 300: what builds does not run.
  must(
    'npm',
    ['prune', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'],
    made,
  )
  // From now on nothing is installed or built in it, whatever npm is asked there.
  writeFileSync(join(made, '.release'), `${name}\n`)
  renameSync(made, folders.release(name))
  return name
}

/**
 * @param {import('./folders.mjs').Folders} folders
 * @param {...string} args
 */
const git = ({ source }, ...args) => must('git', ['-C', source, ...args]).trim()

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} [cwd] where its words are for the operator to read
 */
function must(command, args, cwd) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', cwd === undefined ? 'pipe' : 'inherit', 'inherit'],
  })
  if (status === 0) return stdout ?? ''
  throw new ReleaseError(
    `${command} ${args[0]} failed${error ? ` (${error.message})` : ''}. Nothing that runs was changed.`,
  )
}
