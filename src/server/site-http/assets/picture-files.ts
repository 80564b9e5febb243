import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import { getMimeType } from 'hono/utils/mime'
import { sendFile } from '#server/http/caching/send-file.ts'

const day = 'public, max-age=86400'
const forEver = 'public, max-age=31536000, immutable'

/** The pictures that the build has made. Each has a route of its own, so no path leads to any other file. */
export function pictureFiles(clientFolder: string) {
  const routes = new Hono()
  const filesIn = (name: string) => {
    const folder = join(clientFolder, name)
    return existsSync(folder) ? readdirSync(folder).map((file) => `/${name}/${file}`) : []
  }

  // Their names change with their content, so the name is tag enough.
  for (const path of [...filesIn('pictures'), ...filesIn('social')]) {
    const type = typeOf(path)
    const headers = { type, etag: `"${path.slice(1)}"`, cacheControl: forEver }
    routes.get(path, etag(), async (c) =>
      sendFile(c, headers, await readFile(join(clientFolder, path))),
    )
  }

  for (const path of filesIn('icons')) {
    const content = readFileSync(join(clientFolder, path))
    const type = typeOf(path)
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
    const headers = { type, etag: `"${hash}"`, cacheControl: day }
    const paths = path === '/icons/favicon.ico' ? [path, '/favicon.ico'] : [path]
    routes.on('GET', paths, etag(), (c) => sendFile(c, headers, content))
  }
  return routes
}

const typeOf = (path: string): string => getMimeType(path) ?? 'application/octet-stream'

/** Social images are made to be shown by other sites. Stands outside the security headers, which would forbid it. */
export const shownElsewhere = createMiddleware(async (c, next) => {
  await next()
  c.res.headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
})
