import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'

const day = 'public, max-age=86400'
const forEver = 'public, max-age=31536000, immutable'

/** Browsers ask for these at the root, whatever a page's head says. */
const rootIcons = ['/favicon.ico', '/apple-touch-icon.png']

/** The pictures that the build has made. */
export function pictureFiles(clientFolder: string) {
  const iconTags = tagsOfIcons(join(clientFolder, 'icons'))
  const files = (cacheControl: string, tagOf: (name: string) => string | undefined) =>
    serveStatic({
      root: clientFolder,
      rewriteRequestPath: (path) => (rootIcons.includes(path) ? `/icons${path}` : path),
      onFound: (path, c) => {
        c.header('Cache-Control', cacheControl)
        c.header('ETag', `"${tagOf(basename(path))}"`)
      },
    })
  return (
    new Hono()
      // Their names change with their content, so the name is tag enough.
      .on(
        'GET',
        ['/pictures/*', '/social/*'],
        etag(),
        files(forEver, (name) => name),
      )
      .on(
        'GET',
        ['/icons/*', ...rootIcons],
        etag(),
        files(day, (name) => iconTags.get(name)),
      )
  )
}

/** Of their content, at the start: hono/etag would read the file for each visitor, and has nothing to read for HEAD. */
function tagsOfIcons(folder: string): ReadonlyMap<string, string> {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('base64url')
  return new Map(names.map((name) => [name, hashOf(name).slice(0, 22)]))
}

/** Social images are made to be shown by other sites. Stands outside the security headers, which would forbid it. */
export const shownElsewhere = createMiddleware(async (c, next) => {
  await next()
  c.res.headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
})
