import { hash } from 'node:crypto'
import { Hono } from 'hono'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { authorize } from '#server/operators/authorize.ts'
import { makeTimedCache } from '#server/platform/timed-cache.ts'

/** The milliseconds between two checks of the store for changes. All open pages of a process share one check. */
const intervalMs = 500

/** Answers open pages, which ask every second, with a text that changes whenever stored data changes. */
export function changeRoutes({ store, clock }: ConsoleServices) {
  const readChanges = makeTimedCache(store.readChangeMarker, (tookMs) => intervalMs - tookMs)
  return new Hono<ConsoleEnv>().get('/api/changes', async (c) => {
    authorize(c.get('actor'), 'see leads', clock())
    return c.text(hash('sha256', await readChanges(), 'base64url'))
  })
}
