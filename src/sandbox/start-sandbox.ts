import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Lazy } from '#server/platform/memory.ts'
import { lookupCalls, makeCallList, makeChanges } from './calls.ts'
import { distributorStandIn } from './distributor.ts'
import { type Ledger, makeLedger } from './ledger.ts'
import { addressValidationStandIn, geocodingStandIn, ipLookupStandIn } from './lookups.ts'
import { ownHostOnly, pageRoutes, pixelStandIn } from './page-routes.ts'
import { makeSwitches } from './switches.ts'

export interface SandboxOptions {
  /** 0 = any free port. */
  readonly port: number
  /** How long `Sandbox-Slow15s` waits, in milliseconds; tests shorten it. */
  readonly slowMs?: number
}

export interface Sandbox {
  /** Such as http://127.0.0.1:4000, without a slash at the end. */
  readonly url: string
  readonly ledger: Ledger
  /** Ends every connection, including those that hang. */
  readonly stop: () => Promise<void>
}

/** Every third party on one loopback port. Rejects if the port is in use (EADDRINUSE). */
export async function startSandbox({ port, slowMs = 15_000 }: SandboxOptions): Promise<Sandbox> {
  const changes = makeChanges()
  const ledger = makeLedger({ onChange: changes.tell })
  const calls = makeCallList(changes.tell)
  const switches = makeSwitches(changes.tell)
  const lookups = { calls, switches, slowMs }
  const app = new Hono<{ Bindings: HttpBindings }>()
    .use(ownHostOnly)
    .use(bodyLimit({ maxSize: 1024 * 1024 }))
    .get('/ledger', (c) => c.json(ledger.entries()))
    .delete('/ledger', (c) => {
      ledger.clear()
      return c.body(null, 204)
    })
    .route('/', distributorStandIn({ ledger, ...lookups }))
    .use('/v1:validateAddress', lookupCalls('address-validation', lookups))
    .route('/', addressValidationStandIn())
    .use('/maps/api/geocode/json', lookupCalls('geocoding', lookups))
    .route('/', geocodingStandIn())
    .use('/json/*', lookupCalls('ip-lookup', lookups))
    .route('/', ipLookupStandIn())
    .route('/', pixelStandIn())
    .route('/', pageRoutes({ ledger, calls, switches, changes }))
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: listeningOn } = server.address() as AddressInfo
  const stopped = new Lazy(async () => {
    const closed = once(server, 'close')
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
  })
  return {
    url: `http://127.0.0.1:${listeningOn}`,
    ledger,
    stop: () => stopped.get(),
  }
}
