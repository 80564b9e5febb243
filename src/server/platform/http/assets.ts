import { readFileSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as v from 'valibot'

/** Serves the built scripts. File names change with the content, so a browser may keep the files forever. */
export const serveAssets = (clientFolder: string) =>
  new Hono().use(
    '/assets/*',
    serveStatic({
      root: clientFolder,
      precompressed: true,
      onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  )

const assetPath = /^\/(?:assets|pictures|social)\/\w[\w.-]*$/

/**
 * Serves files of other versions from the folder to which each version publishes its files (docs/deploy.md). A page
 * loaded before an upgrade may request its scripts afterwards, and during a rolling restart a new page may ask an old
 * process. File names change with the content, so a file with the right name has the right content.
 */
export function serveFilesOfOtherVersions(published: string) {
  return createMiddleware(async (c, next) => {
    const { path } = c.req
    const root = assetPath.test(path) ? await findVersionFolderWithFile(path, published) : undefined
    if (root === undefined) return next()
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    return serveStatic({ root, precompressed: true })(c, next)
  })
}

/** Finds the folder of a version with this file. Lists the folders at each call, because an upgrade may add one. */
export async function findVersionFolderWithFile(
  path: string,
  published: string,
): Promise<string | undefined> {
  for (const name of await readdir(published).catch(() => [])) {
    // The name of a folder that is still being copied begins with a dot.
    if (name.startsWith('.')) continue
    const file = await lstat(join(published, name, path)).catch(() => undefined)
    if (file?.isFile()) return join(published, name)
  }
  return undefined
}

const manifest = v.record(v.string(), v.object({ file: v.string() }))

/** Reads Vite's manifest and the stylesheet from the folder of the browser build. @throws if there is no build */
export function readBrowserBuild(folder: string) {
  const files = v.parse(
    manifest,
    JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')),
  )
  /** Returns the URL's path of a built file. @param source the source file's name in the manifest */
  const fileOf = (source: string): string => {
    const file = files[source]?.file
    if (file === undefined) throw new Error(`the build has no ${source}`)
    return `/${file}`
  }
  return { fileOf, styles: readFileSync(join(folder, fileOf('style.css')), 'utf8').trim() }
}
