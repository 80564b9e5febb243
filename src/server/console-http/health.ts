import { Hono } from 'hono'
import { productBuild, productVersion } from '#server/observability/product-version.ts'

export interface ConsoleHealthPorts {
  /** Rejects where the store cannot be reached, is not migrated or takes no writes. */
  readonly checkStore: () => Promise<void>
  readonly isDraining: () => boolean
}

/** For whoever keeps the process alive: asked by any name, and nothing is told but that. */
export const consoleHealth = ({ checkStore, isDraining }: ConsoleHealthPorts) =>
  new Hono()
    .get('/healthz', (c) =>
      c.json({ status: 'alive', version: productVersion, build: productBuild }),
    )
    .get('/readyz', async (c) => {
      if (isDraining()) return c.json({ status: 'draining' }, 503)
      return checkStore().then(
        () => c.json({ status: 'ready' }),
        () => c.json({ status: 'the store cannot be used' }, 503),
      )
    })
