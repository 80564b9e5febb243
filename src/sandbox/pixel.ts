import { Hono } from 'hono'

/** One transparent point, 43 bytes. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The thank-you screens' tracking pixels. */
export function pixelStandIn() {
  const app = new Hono()
  app.get('/pixel/:file{[\\w-]+\\.gif}', (c) =>
    c.body(new Uint8Array(gif), 200, {
      'content-type': 'image/gif',
      'cache-control': 'no-store',
      // The page that shows it has another origin.
      'cross-origin-resource-policy': 'cross-origin',
    }),
  )
  return app
}
