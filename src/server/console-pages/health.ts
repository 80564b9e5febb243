import { Hono } from 'hono'
import type { Registry } from 'prom-client'
import { cannotSubmit } from '#server/platform/faults/sanitize-error.ts'
import { isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import { productBuild, productVersion } from '#server/platform/observability/log.ts'

export interface ConsoleHealthPorts {
  /** Rejects where the store cannot be reached, is not migrated or takes no writes. */
  readonly checkStore: () => Promise<void>
  readonly isDraining: () => boolean
  readonly metrics: Registry
  /** Known once the console listens. */
  readonly origin: () => string
}

/** For monitors. Any host name may read whether the process is alive, but only names that no page can have read the metrics. */
export const consoleHealth = ({ checkStore, isDraining, metrics, origin }: ConsoleHealthPorts) =>
  new Hono()
    .get('/healthz', (c) =>
      c.json({ status: 'alive', version: productVersion, build: productBuild }),
    )
    .get('/readyz', async (c) => {
      if (isDraining()) return c.json({ status: 'draining' }, 503)
      return checkStore().then(
        () => c.json({ status: 'ready' }),
        (error: unknown) => c.json({ status: cannotSubmit(error) }, 503),
      )
    })
    .get('/metrics', async (c) => {
      const host = c.req.header('host') ?? ''
      if (host !== new URL(origin()).host && !isOfNetwork(host)) {
        return c.text('Use an address or a name of the private network: see docs/console.md.', 421)
      }
      return c.body(await metrics.metrics(), 200, { 'content-type': metrics.contentType })
    })

/** Names that no browser's page can have, whatever they resolve to. */
const isOfNetwork = (host: string): boolean =>
  URL.canParse(`http://${host}`) && isPrivateHost(new URL(`http://${host}`).hostname)
