import type { MiddlewareHandler } from 'hono'
import { isPrivateHost } from '#server/platform/http/private-host.ts'

/** Refuses what was asked of a public name that leads to this machine (DNS rebinding): the ledger is nobody else's. */
export const ownHostOnly: MiddlewareHandler = async (c, next) => {
  if (!isPrivateHost(new URL(c.req.url).hostname)) {
    return c.text('The sandbox answers to names of this machine alone.', 421)
  }
  return next()
}
