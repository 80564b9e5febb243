import { once } from 'node:events'
import { createServer, type ServerOptions, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setImmediate as afterPoll, setTimeout as wait } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import {
  answerBrokenRequest,
  answerLongUrl,
  answerUnreadableRequest,
  maxUrlLength,
} from './broken-requests.ts'

interface ListenOptions {
  readonly fetch: (request: Request, env: unknown) => Response | Promise<Response>
  readonly host: string
  readonly port: number
  readonly limits?: ConnectionLimits
  /** Called for each answer that was sent whole, with its status. */
  readonly onAnswered?: (status: number) => void
  /** Called for each connection that was not taken, as there are too many. */
  readonly onConnectionRefused?: () => void
}

/** In milliseconds. */
export interface ClosingGrace {
  readonly requests: number
  readonly newcomers?: number
}

/** Starts to listen. Rejects where the port is taken. */
export async function listen(options: ListenOptions) {
  const { fetch, host, port, limits = connectionLimits, onAnswered, onConnectionRefused } = options
  const answer = getRequestListener(fetch, { errorHandler: answerUnreadableRequest })
  // One function for all: this is on the way of every page.
  const answered =
    onAnswered &&
    function (this: ServerResponse) {
      onAnswered(this.statusCode)
    }
  let isDraining = false
  const server = createServer(limits.http, (request, response) => {
    if (isDraining) response.shouldKeepAlive = false
    if (answered) response.on('finish', answered)
    if ((request.url?.length ?? 0) > maxUrlLength) return answerLongUrl(request, response)
    answer(request, response)
  })
  server.maxConnections = limits.maxConnections
  server.timeout = limits.idleTimeout
  server.on('clientError', answerBrokenRequest)
  if (onConnectionRefused) server.on('drop', onConnectionRefused)
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /**
     * Each connection is ended with its next answer: a proxy that keeps connections has then none left that could be
     * closed just as it sends on it.
     */
    drain: () => {
      isDraining = true
    },
    /**
     * Takes no more connections and resolves when the requests under way are answered; what is not
     * answered within `requests` milliseconds, or has not even been asked whole, is cut off. A
     * connection that was just accepted has `newcomers` milliseconds to send its request.
     */
    close: async ({ requests, newcomers = 0 }: ClosingGrace) => {
      const closed = once(server, 'close')
      const cutOff = setTimeout(() => server.closeAllConnections(), requests)
      // A browser keeps its connection for the next request: 6 s that a stop cannot spare.
      server.keepAliveTimeout = 1
      server.keepAliveTimeoutBuffer = 0
      if (newcomers > 0) {
        // The connections that wait are accepted first: closing the listener would cut them off.
        await afterPoll()
        // Closes the listener alone. The server's own close cuts off a client that has not sent anything yet.
        NetServer.prototype.close.call(server)
        const allGone = new AbortController()
        void closed.then(() => allGone.abort())
        await wait(newcomers, undefined, { signal: allGone.signal }).catch(() => undefined)
      }
      server.close()
      server.closeIdleConnections()
      await closed
      clearTimeout(cutOff)
    },
  }
}

/** The limits of one connection, and of all of them. Times are milliseconds. */
export interface ConnectionLimits {
  readonly http: Pick<
    ServerOptions,
    'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval' | 'maxHeaderSize'
  >
  /** The idle time after which a browser that does not take its answer is cut off. */
  readonly idleTimeout: number
  readonly maxConnections: number
}

export const connectionLimits: ConnectionLimits = {
  http: {
    // A request's headers are a packet or two. Node waits for a minute, and looks every 30 s.
    headersTimeout: 10_000,
    // With its body, of 64 KB at most: 17 kbit/s. Node waits for five minutes.
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2000,
    // Node's own, said here as docs/security.md says it.
    maxHeaderSize: 16 * 1024,
  },
  idleTimeout: 60_000,
  // Idle ones take about 10 KB each. A proxy in front needs far fewer.
  maxConnections: 10_000,
}
