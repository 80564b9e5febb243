import { createMiddleware } from 'hono/factory'
import { isLoopbackHost } from '#server/platform/http/private-host.ts'

/**
 * Answers under its own name alone. A page whose name is made to resolve to this machine (DNS rebinding) would else be of
 * the console's own origin to the browser, cookies apart. Other names of loopback are led to the one that has the cookies.
 */
export const ownHostOnly = (origin: () => string) =>
  createMiddleware(async (c, next) => {
    const own = new URL(origin())
    const asked = c.req.header('host') ?? ''
    if (asked.toLowerCase() === own.host) return next()
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (isRead && isLoopbackHost(own.hostname) && isOtherLoopback(asked, own.port)) {
      const { pathname, search } = new URL(c.req.url)
      return c.redirect(`${own.origin}${pathname}${search}`, 307)
    }
    return c.text(`This console answers at ${own.origin} alone.`, 421)
  })

function isOtherLoopback(host: string, port: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const url = new URL(`http://${host}`)
  return url.port === port && isLoopbackHost(url.hostname)
}
