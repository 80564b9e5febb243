import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setImmediate as afterPoll, setTimeout as wait } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { makeProblemReply, serverErrorReply } from './replies.ts'

interface ListenOptions {
  readonly fetch: (request: Request, env: unknown) => Response | Promise<Response>
  readonly host: string
  readonly port: number
  readonly limits?: ConnectionLimits
  readonly onAnswered?: (status: number) => void
  readonly onConnectionRefused?: () => void
}

/** How long a closing server waits for requests, and for the first request of a new connection, in milliseconds. */
export interface CloseTimeouts {
  readonly requests: number
  readonly newcomers?: number
}

export async function listen(options: ListenOptions) {
  const { fetch, host, port, limits = connectionLimits, onAnswered, onConnectionRefused } = options
  const answer = getRequestListener(fetch, { errorHandler: answerUnreadableRequest })
  let isDraining = false
  const server = createServer(limits.http, (request, response) => {
    if (isDraining) response.shouldKeepAlive = false
    if (onAnswered) response.on('finish', () => onAnswered(response.statusCode))
    answer(request, response)
  })
  server.maxConnections = limits.maxConnections
  server.timeout = limits.idleTimeout
  if (onConnectionRefused) server.on('drop', onConnectionRefused)
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /**
     * From now on, closes each connection after its next answer, so that a proxy sends no further request on a
     * connection that is about to close.
     */
    drain: () => {
      isDraining = true
    },
    /**
     * Stops accepting connections and resolves when all requests are answered. After `requests` milliseconds, cuts off
     * incomplete and unanswered requests. A connection that was just accepted has `newcomers` milliseconds to send its
     * request.
     */
    close: async ({ requests, newcomers = 0 }: CloseTimeouts) => {
      const closed = once(server, 'close')
      const cutOff = setTimeout(() => server.closeAllConnections(), requests)
      // Node keeps an idle connection open for 6 s, which is too long for a stop.
      server.keepAliveTimeout = 1
      server.keepAliveTimeoutBuffer = 0
      if (newcomers > 0) {
        // Waiting connections are accepted first, because closing the listener would cut them off.
        await afterPoll()
        // This call closes only the listener, whereas `server.close` would cut off clients that have sent nothing yet.
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

/** Answers a request with an invalid host or path, such as `Host: a b` or a backslash in the path. */
function answerUnreadableRequest(error: unknown): Response {
  const { status, headers, body } =
    error instanceof RequestError
      ? makeProblemReply(400, 'The host or the URL of this request cannot be read.')
      : serverErrorReply
  return new Response(body, {
    status,
    headers: { ...headers, 'x-content-type-options': 'nosniff' },
  })
}

export type ConnectionLimits = typeof connectionLimits

/** Times are milliseconds. */
export const connectionLimits = {
  http: {
    // A request's headers fit into a packet or two. Node's default limit is a minute, checked every 30 s.
    headersTimeout: 10_000,
    // The limit for a request with its body. A body of 64 KB, the largest, arrives in time at 17 kbit/s.
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2000,
    // Node's default, repeated here because docs/security.md states it.
    maxHeaderSize: 16 * 1024,
  },
  // The server cuts off a browser that has not read its answer for this many milliseconds.
  idleTimeout: 60_000,
  // 10,000 idle connections need about 100 MB. A proxy in front of the server needs far fewer connections.
  maxConnections: 10_000,
}
