import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const linkNames = /** @type {const} */ (['current', 'previous', 'next'])

/** @typedef {typeof linkNames[number]} LinkName */
/** @typedef {ReturnType<typeof foldersAround>} Folders */

/**
 * Where releases lie: `<root>/releases/<name>`, `<root>/current` and so on lead to one, `<root>/source` is the clone.
 * @param {string} scriptFolder `deploy/releases` of the clone or of a release
 */
export function foldersAround(scriptFolder) {
  const project = resolve(scriptFolder, '../..')
  const parent = dirname(project)
  const root = basename(parent) === 'releases' ? dirname(parent) : parent
  const releases = join(root, 'releases')

  /** @param {LinkName} link */
  const linked = (link) => {
    try {
      return basename(readlinkSync(join(root, link)))
    } catch {
      return undefined
    }
  }
  return {
    source: join(root, 'source'),
    /** @param {string} name */
    release: (name) => join(releases, name),
    /** @param {string} name */
    isInstalled: (name) => existsSync(join(releases, name, 'dist/server/main.js')),
    /** One that is being made has a name with a dot before it. */
    installed: () => {
      mkdirSync(releases, { recursive: true })
      return readdirSync(releases).filter((name) => !name.startsWith('.'))
    },
    linked,
    /** @param {string} name */
    linkedAs: (name) => linkNames.find((link) => linked(link) === name) ?? '',
    /**
     * At one moment: whoever follows the link finds the one release or the other.
     * @param {LinkName} link
     * @param {string} name
     */
    link: (link, name) => {
      const made = join(root, `.${link}-${process.pid}`)
      rmSync(made, { force: true })
      symlinkSync(join('releases', name), made)
      renameSync(made, join(root, link))
    },
  }
}
