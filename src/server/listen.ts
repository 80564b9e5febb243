import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { answerBrokenRequest } from './http/connections/answer-broken-request.ts'
import { answerLongUrl } from './http/connections/answer-long-url.ts'
import { answerUnreadableRequest } from './http/connections/answer-unreadable-request.ts'
import {
  type ConnectionLimits,
  connectionLimits,
  longestUrl,
} from './http/connections/connection-limits.ts'
import type { NodeHandler } from './http/node-handler.ts'

interface ListenOptions {
  readonly fetch: (request: Request, env: unknown) => Response | Promise<Response>
  /** Asked before `fetch`. */
  readonly beforeRouter?: NodeHandler | undefined
  readonly host: string
  readonly port: number
  readonly limits?: ConnectionLimits
  /** Called for each answer that was sent whole, with its status. */
  readonly onAnswered?: (status: number) => void
  /** Called for each connection that was not taken, as there are too many. */
  readonly onConnectionRefused?: () => void
}

/** Starts to listen. Rejects where the port is taken. */
export async function listen(options: ListenOptions) {
  const {
    fetch,
    beforeRouter,
    host,
    port,
    limits = connectionLimits,
    onAnswered,
    onConnectionRefused,
  } = options
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
    if (beforeRouter?.(request, response)) return
    if ((request.url?.length ?? 0) > longestUrl) return answerLongUrl(request, response)
    answer(request, response)
  })
  server.maxConnections = limits.mostConnections
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
