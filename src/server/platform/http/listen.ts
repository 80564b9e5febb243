import { once } from 'node:events'
import { createServer, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as afterPoll, setTimeout as wait } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { minute } from '#domain/durations.ts'
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
  const responses = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(limits.http, (request, response) => {
    responses.set(request.socket, response)
    response.on('close', () => responses.delete(request.socket))
    if (isDraining) response.shouldKeepAlive = false
    if (onAnswered) response.on('finish', () => onAnswered(response.statusCode))
    answer(request, response)
  })
  server.maxConnections = limits.maxConnections
  server.timeout = limits.idleTimeout
  if (onConnectionRefused) server.on('drop', onConnectionRefused)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A second head in the middle of an answer would corrupt the answer.
    if (!socket.writable || responses.get(socket)?.headersSent) return socket.destroy()
    refuseRequest(socket, unreadableStatuses.get(error.code) ?? 400)
  })
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

/** The statuses that Node itself would answer with; any other request that Node cannot parse gets 400. */
const unreadableStatuses = new Map<string | undefined, number>([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/** Milliseconds for a browser to send the rest of its request and read the answer. */
const lastWordsMs = 2000

/**
 * Answers a request that Node cannot parse, and closes the connection. Other programs on the same domain can leave more
 * cookies than the server accepts, and then no page of the site opens in this browser, so 431 comes with a page.
 */
function refuseRequest(socket: Duplex, status: number): void {
  const body = status === 431 ? cookiesPage : ''
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    ...(body ? ['Content-Type: text/html; charset=utf-8', 'X-Content-Type-Options: nosniff'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // If the server closed the connection before it has read everything, the browser would lose the answer.
  socket.resume()
  setTimeout(() => socket.destroy(), lastWordsMs).unref()
}

const cookiesPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Please clear your cookies</title>
<h1>This page can’t open because your browser keeps too many cookies for it</h1>
<p>Clear the cookies of this website in your browser’s settings, then load the page again. In most browsers, select the icon beside the address, then <i>Cookies and site data</i>. A private window works, too.</p>
</html>
`

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
    // Room for 32 KB of cookies, which other programs on the same domain can leave, beside all other headers. Node's
    // default is 16 KB.
    maxHeaderSize: 40 * 1024,
  },
  // The server cuts off a browser that has not read its answer for this many milliseconds.
  idleTimeout: minute,
  // 10,000 idle connections need about 100 MB. A proxy in front of the server needs far fewer connections.
  maxConnections: 10_000,
}
