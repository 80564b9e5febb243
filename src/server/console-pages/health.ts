import { Hono } from 'hono'
import { health } from '#server/platform/http/health.ts'
import { isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import type { ConsoleSetup } from './console-env.ts'

/** Routes for monitors. The health check works with any host name, but the metrics only with names that no web page can have. */
export const consoleHealth = (parts: ConsoleSetup) =>
  new Hono()
    .use('/metrics', async (c, next) => {
      const host = c.req.header('host') ?? ''
      if (host === new URL(parts.origin()).host || isOfNetwork(host)) return next()
      return c.text('Use an address or a name of the private network: see docs/console.md.', 421)
    })
    .route('/', health(parts))

/** Whether a host name belongs to a private network: no web page can have such a name, whatever it resolves to. */
const isOfNetwork = (host: string): boolean =>
  URL.canParse(`http://${host}`) && isPrivateHost(new URL(`http://${host}`).hostname)
