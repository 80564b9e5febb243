import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Registry } from 'prom-client'
import { type BreakerState, describeBreaker } from '#domain/delivery/breaker.ts'
import { describeClockDifference, type StoreClock } from '../database/store-clock.ts'
import { describeStorageOutage } from '../faults/sanitize-error.ts'
import { buildId, productVersion } from '../observability/log.ts'

interface HealthDependencies {
  /** Rejects if the store cannot be reached, is not migrated or refuses writes. */
  readonly checkStore: () => Promise<void>
  readonly readBreaker: () => Promise<BreakerState>
  readonly isDraining: () => boolean
  readonly storeClock: Pick<StoreClock, 'isWrong' | 'aheadMs'>
  readonly metrics: Registry
}

export function healthRoutes({
  checkStore,
  readBreaker,
  isDraining,
  storeClock,
  metrics,
}: HealthDependencies) {
  const readiness = async () => {
    await checkStore()
    // While deliveries are paused or stopped, enquiries are still stored: the process stays ready, and reports why it
    // sends no leads.
    const deliveries = describeBreaker(await readBreaker())
    // A wrong clock does no harm, because the database's time counts.
    const clock = storeClock.isWrong() ? describeClockDifference(storeClock.aheadMs()) : undefined
    return { status: 'ready', deliveries, clock }
  }
  return new Hono()
    .on('GET', ['/healthz', '/readyz', '/metrics'], noStore)
    .get('/healthz', (c) => c.json({ status: 'alive', version: productVersion, build: buildId }))
    .get('/readyz', async (c) => {
      if (isDraining()) return c.json({ status: 'draining' }, 503)
      // A load balancer asks with `?without=store`: a fault of the store affects all processes, so the load balancer
      // gains nothing from another process.
      if (c.req.query('without') === 'store') return c.json({ status: 'serving' })
      return readiness().then(
        (ready) => c.json(ready),
        (error: unknown) => c.json({ status: describeStorageOutage(error) }, 503),
      )
    })
    .get('/metrics', async (c) =>
      c.body(await metrics.metrics(), 200, { 'content-type': metrics.contentType }),
    )
}

/** Forbids caching: a cache would answer a monitor for a process that no longer runs. */
const noStore = createMiddleware(async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
})
