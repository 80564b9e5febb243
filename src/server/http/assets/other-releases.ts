import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { createMiddleware } from 'hono/factory'

const releasesFolder = 'releases'

/** As the build names them: a folder, and a name without a path in it. */
const file = /^\/(?:assets|pictures|social)\/\w[\w.-]*$/

/**
 * What another release has built and this one has not, where releases lie side by side (docs/deploy.md): a page that came
 * before an upgrade asks for its scripts after it, and while processes are replaced one by one the new one's page asks the
 * old one. Names change with content, so whoever has the file has the right one.
 */
export function otherReleases(clientFolder: string) {
  const release = resolve(clientFolder, '../..')
  const releases = dirname(release)
  return createMiddleware(async (c, next) => {
    if (basename(releases) !== releasesFolder || !file.test(c.req.path)) return next()
    // Read at each miss: an upgrade puts a release beside this one while it runs.
    const names = await readdir(releases)
    for (const name of names.filter((one) => !one.startsWith('.') && one !== basename(release))) {
      const root = join(releases, name, 'dist/client')
      if (!(await isFile(join(root, c.req.path)))) continue
      c.header('Cache-Control', 'public, max-age=31536000, immutable')
      return serveStatic({ root, precompressed: true })(c, next)
    }
    return next()
  })
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
