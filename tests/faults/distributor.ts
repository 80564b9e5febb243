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

/** How a distributor behaves. It has the whole lead when this is called. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

export interface Distributor {
  readonly url: string
  /** The Idempotency-Key of every lead that came whole, in the order of arrival. */
  readonly received: readonly string[]
  /** How often each was kept, as far as the distributor knows: all but what it answered with an HTTP error. */
  timesKept(): ReadonlyMap<string, number>
  behave(behaviour: Behaviour): void
  stop(): Promise<void>
}

export const takes: Behaviour = (_, response) => {
  response.setHeader('content-type', 'application/json').end('{"status":"success"}')
}

/** Has the lead, and now and then loses the line before it can say so: then it must get the lead again. */
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

/** A lead distributor in the test's own process, so that it outlives every process that is killed. */
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
      const key = String(request.headers['idempotency-key'])
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
