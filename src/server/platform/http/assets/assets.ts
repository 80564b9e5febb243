import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

/** The built scripts: their names change with their content, so a browser may keep them for ever. */
export const assets = (clientFolder: string) =>
  new Hono().use(
    '/assets/*',
    serveStatic({
      root: clientFolder,
      precompressed: true,
      onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  )
