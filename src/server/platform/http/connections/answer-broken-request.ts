import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

const wordsOf: Readonly<Record<number, string>> = {
  400: 'This is no HTTP that we understand.',
  408: 'The request took too long to arrive. Please try again.',
  413: 'The request carries more than we read.',
  431: 'The request carries too much beside its address. Please delete the cookies of this site and try again.',
}

/** The same statuses as Node's own: https://nodejs.org/api/http.html#event-clienterror */
const statusOf: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers what never became a request, with words where Node says nothing, and closes the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = statusOf[error.code ?? ''] ?? 400
  const words = wordsOf[status] ?? ''
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
