import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type HttpBindings, RequestError } from '@hono/node-server'
import type { Context } from 'hono'
import { apiPrefix } from '#contract/own-api.ts'
import { problemContentType } from '#contract/problem.ts'
import { ourFault, problemOf, problemReply } from './replies.ts'

/**
 * https://www.rfc-editor.org/rfc/rfc9110#section-4.1-5 asks for 8,000 characters; the URLs of ad networks stay below
 * 2,000.
 */
export const maxUrlLength = 8000

const replyTextOf: Readonly<Record<number, string>> = {
  400: 'This is no HTTP that we understand.',
  408: 'The request took too long to arrive. Please try again.',
  413: 'The request carries more than we read.',
  431: 'The request carries too much beside its address. Please delete the cookies of this site and try again.',
}

/** Node uses the same statuses: https://nodejs.org/api/http.html#event-clienterror */
const statusOf: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/**
 * Answers bytes that Node could not parse as a request, with a message that Node's own answer lacks, and closes the
 * connection.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = statusOf[error.code ?? ''] ?? 400
  const words = replyTextOf[status] ?? ''
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(words)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${words}`, () => socket.destroy())
}

const words = `The address is longer than ${maxUrlLength} characters. Please open the site by its short address.`

/** Answers 414 before any code reads the URL. */
export function answerLongUrl({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const isApi = url.startsWith(`${apiPrefix}/`)
  response.writeHead(414, {
    'content-type': isApi ? problemContentType : 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(isApi ? JSON.stringify(problemOf(414, words)) : words)
}

/** Answers a request with an invalid host or path, such as `Host: a b` or a backslash in the path. */
export function answerUnreadableRequest(error: unknown): Response {
  const { status, headers, body } = error instanceof RequestError ? unreadable : ourFault
  return new Response(body, {
    status,
    headers: { ...headers, 'x-content-type-options': 'nosniff' },
  })
}

const unreadable = problemReply(400, 'The host or the address of this request cannot be read.')

/** Whether the visitor left, or was too slow, before the whole request had arrived, so that nobody receives the answer. */
export function isCutOff(c: Context): boolean {
  const { incoming } = c.env as Partial<HttpBindings>
  return incoming?.destroyed === true && !incoming.complete
}
