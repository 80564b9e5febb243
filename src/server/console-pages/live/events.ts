import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { NotAllowedError } from '#server/operators/authorise.ts'
import { problem } from '#server/platform/http/replies.ts'
import type { ConsoleEnv, ConsoleParts } from '../console-env.ts'
import { eventsPath } from '../security/require-session.ts'
import { assertStillAllowed } from '../send-text.ts'

/**
 * Notifies a page of changes with server-sent events that have no content. The page then requests itself again. See
 * https://html.spec.whatwg.org/multipage/server-sent-events.html.
 */
export const events = (parts: ConsoleParts) =>
  new Hono<ConsoleEnv>().get(eventsPath, (c) => {
    const { live } = parts
    const sessionId = c.get('session')?.id ?? ''
    if (!live.hasRoom(sessionId)) {
      c.header('Retry-After', '30')
      return problem(c, 429, 'Four windows of this session already update live. Close one.')
    }
    c.header('Content-Type', 'text/event-stream')
    c.header('Cache-Control', 'no-store, no-transform')
    // nginx would buffer the stream: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
    c.header('X-Accel-Buffering', 'no')
    // A HEAD request would never read the stream to its end.
    if (c.req.method === 'HEAD') return c.body(null)
    const isStillAllowed = () =>
      assertStillAllowed(parts, c, 'see leads').then(
        () => true,
        (error) => {
          if (error instanceof NotAllowedError) return false
          throw error
        },
      )
    return stream(
      c,
      async (page) => {
        const closed = new AbortController()
        page.onAbort(() => closed.abort())
        const updates = live.follow({ sessionId, isStillAllowed, signal: closed.signal })
        for await (const event of updates) await page.write(`event: ${event}\ndata:\n\n`)
      },
      // If the store fails, the stream closes: the page says so and connects again.
      async () => {},
    )
  })
