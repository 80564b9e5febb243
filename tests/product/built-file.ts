import { join, resolve } from 'node:path'
import { buildMark } from '../../scripts/setup/build.mjs'
import { stampAt } from '../../scripts/setup/machine.mjs'

const projectFolder = resolve(import.meta.dirname, '../..')

let isChecked = false

/**
 * A file of the build, for every test that starts the product.
 * @param path in `dist`, such as `server/main.js`
 * @throws if the build is older than the sources, because the test would run an outdated product
 */
export function builtFile(path: string): string {
  if (!isChecked) refuseStaleBuild(projectFolder)
  isChecked = true
  return join(projectFolder, 'dist', path)
}

/** Compares contents, which takes 20 to 50 ms. File times do not help, because a checkout changes them. */
export function refuseStaleBuild(folder: string): void {
  if (stampAt(join(folder, 'dist/.built')).reads(buildMark(folder))) return
  throw new Error('The build in dist is missing or older than the sources. Run: npm run build')
}
