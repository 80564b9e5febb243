import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const manifest = v.record(v.string(), v.object({ file: v.string() }))

/**
 * Reads Vite's manifest and stylesheet from a folder that was built for browsers.
 * @throws if there is no build
 */
export function readBuild(folder: string) {
  const files = v.parse(
    manifest,
    JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')),
  )
  /** @param source the source file's name in the manifest */
  const fileOf = (source: string): string => {
    const file = files[source]?.file
    if (file === undefined) throw new Error(`the build has no ${source}`)
    return `/${file}`
  }
  return { fileOf, styles: readFileSync(join(folder, fileOf('style.css')), 'utf8').trim() }
}
