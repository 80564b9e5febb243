import { cpSync, existsSync, lstatSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'

/** What the operator has edited lies beside the settings: each release takes it from there. */
const operatorsFolder = () => env.CAMPUS_SETTINGS ?? '/etc/campus-enquiry'

/**
 * By a link, so that an edit counts for every release. Where the operator has no file, the release's own stays.
 * @param {string} release
 */
export function linkCatalogue(release) {
  link(join(operatorsFolder(), 'programs.csv'), join(release, 'catalogue/programs.csv'))
}

/**
 * The same for words and colors, file by file: what a later release adds stays its own until the operator has it, too.
 * @param {string} release
 */
export function linkWords(release) {
  const words = join(operatorsFolder(), 'content')
  if (!existsSync(words)) return
  for (const file of readdirSync(words)) link(join(words, file), join(release, 'content', file))
}

/**
 * @param {string} own
 * @param {string} shipped
 */
function link(own, shipped) {
  if (!existsSync(own) || lstatSync(shipped, { throwIfNoEntry: false })?.isSymbolicLink()) return
  rmSync(shipped, { force: true })
  symlinkSync(own, shipped)
}

/**
 * They become part of the build.
 * @param {string} release
 */
export function takePictures(release) {
  const pictures = join(operatorsFolder(), 'site-pictures')
  if (existsSync(pictures)) cpSync(pictures, join(release, 'site-pictures'), { recursive: true })
}
