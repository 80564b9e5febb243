import { Hono } from 'hono'
import type { Registry } from 'prom-client'

export interface HealthPorts {
  /** Rejects where the store cannot be reached or is not migrated. */
  readonly checkStore: () => Promise<void>
  readonly isDraining: () => boolean
  readonly metrics: Registry
}

/** For load balancers and monitors. */
export function health({ checkStore, isDraining, metrics }: HealthPorts) {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      if (isDraining()) return c.json({ status: 'draining' }, 503)
      return checkStore().then(
        () => c.json({ status: 'ready' }),
        () => c.json({ status: 'the store cannot be used' }, 503),
      )
    })
    .get('/metrics', async (c) =>
      c.body(await metrics.metrics(), 200, { 'content-type': metrics.contentType }),
    )
}
