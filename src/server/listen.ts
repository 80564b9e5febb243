import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'

interface ListenOptions {
  readonly fetch: (request: Request, env: unknown) => Response | Promise<Response>
  readonly host: string
  readonly port: number
}

/** Starts to listen. Rejects where the port is taken. */
export async function listen({ fetch, host, port }: ListenOptions) {
  const server = createAdaptorServer({ fetch }) as Server
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Takes no more connections and resolves when the requests under way are answered. */
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      await closed
    },
  }
}
