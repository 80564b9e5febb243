import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { eventsPath } from '#console/security/require-session.ts'
import { isStillPermitted } from '#console/security/still-permitted.ts'
import { sendProblem } from '#server/platform/http/replies.ts'
import { makeTimedCache } from '#server/platform/timed-cache.ts'

/** The milliseconds between two checks of the store for changes. All open pages of a process share one check. */
const intervalMs = 1000

/** A session may have this many streams, because each reads the session every second. Other pages refresh every 15 s. */
const maxPerSession = 4

/**
 * Sends each visible page a server-sent event without content every second. The event `changed` asks the page to
 * refresh itself, `same` shows that the connection works, `ended` says that the session has ended. The first event is
 * `changed`, because the data may have changed since the page was rendered. See
 * https://html.spec.whatwg.org/multipage/server-sent-events.html.
 */
export function eventStreamRoutes(services: ConsoleServices) {
  const readChanges = makeTimedCache(
    services.store.readChangeMarker,
    (tookMs) => intervalMs - tookMs,
  )
  const streams = new Set<{ readonly sessionId: string }>()
  return new Hono<ConsoleEnv>().get(eventsPath, (c) => {
    const ownStream = { sessionId: c.get('session')?.id ?? '' }
    const open = [...streams].filter(({ sessionId }) => sessionId === ownStream.sessionId)
    if (open.length >= maxPerSession) {
      c.header('Retry-After', '30')
      return sendProblem(c, 429, 'Four windows of this session already update live. Close one.')
    }
    c.header('Content-Type', 'text/event-stream')
    c.header('Cache-Control', 'no-store, no-transform')
    // nginx would buffer the stream: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
    c.header('X-Accel-Buffering', 'no')
    // A client that sends HEAD never reads the stream.
    if (c.req.method === 'HEAD') return c.body(null)
    streams.add(ownStream)
    return stream(
      c,
      async (page) => {
        let known: string | undefined
        page.onAbort(() => void streams.delete(ownStream))
        try {
          while (!page.aborted && !services.isDraining()) {
            const changes = await readChanges()
            const isAllowed = await isStillPermitted(services, c, 'see leads')
            const event = changes === known ? 'same' : 'changed'
            await page.write(`event: ${isAllowed ? event : 'ended'}\ndata:\n\n`)
            if (!isAllowed) return
            known = changes
            await page.sleep(intervalMs)
          }
        } finally {
          streams.delete(ownStream)
        }
      },
      // If the store fails, the stream closes. A page without a stream says that it has no connection, and reconnects.
      async () => {},
    )
  })
}
