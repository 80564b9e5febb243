import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { ReadyAnswers } from './http/ready-answers.ts'

interface ListenOptions {
  readonly fetch: (request: Request, env: unknown) => Response | Promise<Response>
  readonly readyAnswers: ReadyAnswers
  readonly host: string
  readonly port: number
}

/** Starts to listen. Rejects where the port is taken. */
export async function listen({ fetch, readyAnswers, host, port }: ListenOptions) {
  const answer = getRequestListener(fetch)
  const server = createServer((request, response) => {
    if (!readyAnswers.give(request, response)) answer(request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /**
     * Takes no more connections and resolves when the requests under way are answered; what is not answered within
     * `graceMs`, or has not even been asked whole, is cut off.
     */
    close: async (graceMs: number) => {
      const closed = once(server, 'close')
      // A browser keeps its connection for the next request: 6 s that a stop cannot spare.
      server.keepAliveTimeout = 1
      server.keepAliveTimeoutBuffer = 0
      server.close()
      server.closeIdleConnections()
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(cutOff)
    },
  }
}
