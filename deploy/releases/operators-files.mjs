import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'

/** What the operator has edited lies beside the settings: each release takes it from there. */
const operatorsFolder = () => env.CAMPUS_SETTINGS ?? '/etc/campus-enquiry'

/**
 * By a link, so that an edit counts for every release. Where the operator has no file, or none any more, the release's own
 * holds.
 * @param {string} release
 */
export function linkCatalogue(release) {
  link(release, 'catalogue/programs.csv', join(operatorsFolder(), 'programs.csv'))
}

/**
 * The same for words and colors, file by file: what a later release adds stays its own until the operator has it, too.
 * @param {string} release
 */
export function linkWords(release) {
  const shipped = join(release, 'content')
  // One of before there were such files.
  if (!existsSync(shipped)) return
  const words = join(operatorsFolder(), 'content')
  const own = existsSync(words) ? readdirSync(words) : []
  for (const file of new Set([...readdirSync(shipped), ...own])) {
    link(release, join('content', file), join(words, file))
  }
}

/**
 * @param {string} release
 * @param {string} file within it
 * @param {string} own the operator's
 */
function link(release, file, own) {
  const shipped = join(release, file)
  const kept = join(release, '.shipped', file)
  const isLink = lstatSync(shipped, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (existsSync(own) && !isLink) {
    mkdirSync(dirname(kept), { recursive: true })
    if (existsSync(shipped)) renameSync(shipped, kept)
    symlinkSync(own, shipped)
  }
  if (!existsSync(own) && isLink) {
    rmSync(shipped)
    if (existsSync(kept)) renameSync(kept, shipped)
  }
}

/**
 * They become part of the build.
 * @param {string} release
 */
export function takePictures(release) {
  const pictures = join(operatorsFolder(), 'site-pictures')
  if (existsSync(pictures)) cpSync(pictures, join(release, 'site-pictures'), { recursive: true })
}
