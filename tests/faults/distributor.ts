import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './self-signed.ts'

/** How a distributor behaves. It is called after the whole lead has arrived. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

export interface Distributor {
  readonly url: string
  /** The Idempotency-Key of every complete lead, or the id of every webhook, in the order of arrival. */
  readonly received: readonly string[]
  /** How often the distributor kept each lead: every time except when it answered with an HTTP error. */
  timesKept(): ReadonlyMap<string, number>
  behave(behaviour: Behaviour): void
  stop(): Promise<void>
}

export const takes: Behaviour = (_, response) => {
  response.setHeader('content-type', 'application/json').end('{"status":"success"}')
}

/** Keeps each lead, but loses one in so many connections before it answers, so it must get the lead again. */
export function hangsUpOnOneIn(many: number): Behaviour {
  let received = 0
  return (request, response) => {
    if (++received % many === 0) request.socket.resetAndDestroy()
    else takes(request, response)
  }
}

interface DistributorPlace {
  readonly port?: number
  readonly protocol?: 'http' | 'https'
}

/** Starts a distributor in the test's own process, so that it outlives killed processes. */
export async function startDistributor(
  behaviour: Behaviour = takes,
  { port = 0, protocol = 'http' }: DistributorPlace = {},
): Promise<Distributor> {
  let behave = behaviour
  const received: string[] = []
  const kept = new Map<string, number>()
  const keep = (key: string, more: 1 | -1) => kept.set(key, (kept.get(key) ?? 0) + more)
  const server = serve(protocol, (request, response) => {
    request.resume()
    request.on('end', () => {
      const key = String(request.headers['idempotency-key'] ?? request.headers['webhook-id'])
      received.push(key)
      keep(key, 1)
      response.once('finish', () => response.statusCode >= 400 && keep(key, -1))
      behave(request, response)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/incoming/leads`,
    received,
    timesKept: () => kept,
    behave: (next) => {
      behave = next
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const serve = (protocol: 'http' | 'https', answer: RequestListener): Server =>
  protocol === 'http' ? createServer(answer) : createTlsServer(selfSigned, answer)
