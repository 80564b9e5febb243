import { join, resolve } from 'node:path'
import { buildMark } from '../../scripts/setup/build.mjs'
import { stampAt } from '../../scripts/setup/machine.mjs'

const projectFolder = resolve(import.meta.dirname, '../..')

let isChecked = false

/**
 * A file of the build, which every test that starts the product asks for here.
 * @param path in `dist`, such as `server/main.js`
 * @throws where the build is older than the sources, as the test would then try an earlier product
 */
export function builtFile(path: string): string {
  if (!isChecked) refuseStaleBuild(projectFolder)
  isChecked = true
  return join(projectFolder, 'dist', path)
}

/** Compares contents, which takes 20 to 50 ms: times do not count, as a checkout sets them anew. */
export function refuseStaleBuild(folder: string): void {
  if (stampAt(join(folder, 'dist/.built')).reads(buildMark(folder))) return
  throw new Error('The build in dist is missing or older than the sources. Run: npm run build')
}
