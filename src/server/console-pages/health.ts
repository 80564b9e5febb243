import { Hono } from 'hono'
import { health } from '#server/platform/http/health.ts'
import { isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import type { ConsoleSetup } from './console-env.ts'

/** For monitors. Any host name may read whether the process is alive, but only names that no page can have read the metrics. */
export const consoleHealth = (parts: ConsoleSetup) =>
  new Hono()
    .use('/metrics', async (c, next) => {
      const host = c.req.header('host') ?? ''
      if (host === new URL(parts.origin()).host || isOfNetwork(host)) return next()
      return c.text('Use an address or a name of the private network: see docs/console.md.', 421)
    })
    .route('/', health(parts))

/** Names that no browser's page can have, whatever they resolve to. */
const isOfNetwork = (host: string): boolean =>
  URL.canParse(`http://${host}`) && isPrivateHost(new URL(`http://${host}`).hostname)
