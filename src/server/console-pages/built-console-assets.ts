import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'

const manifest = v.record(v.string(), v.object({ file: v.string() }))

/**
 * Reads the console's built files. They have a folder of their own, which the site never serves.
 * @throws where there is no build
 */
export function builtConsoleAssets(folder: string): ConsoleAssets {
  const text = readFileSync(join(folder, '.vite/manifest.json'), 'utf8')
  const files = v.parse(manifest, JSON.parse(text))
  const fileOf = (name: string): string => {
    const file = files[name]?.file
    if (file === undefined) throw new Error(`the build has no ${name}`)
    return file
  }
  return {
    styles: readFileSync(join(folder, fileOf('style.css')), 'utf8').trim(),
    pageScript: `/${fileOf('src/console/browser/page.ts')}`,
    passkeyScript: `/${fileOf('src/console/browser/passkey.ts')}`,
    developmentScripts: [],
  }
}
