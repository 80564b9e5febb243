import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { patience } from '#tests/patience/patience.ts'
import { rawConnection } from '#tests/product/raw-connection.ts'
import type { OddRequest } from './odd-request.ts'

export interface OddReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Sends requests unchanged over persistent connections, because `fetch` would normalize them. */
export function makeRequestSender(url: string) {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(url)
  return async ({ method, path, headers, body }: OddRequest): Promise<OddReply> => {
    const signal = AbortSignal.timeout(patience)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const length = hasBody ? { 'content-length': Buffer.byteLength(body) } : {}
    const call = request({
      agent,
      hostname,
      port,
      method,
      path,
      signal,
      headers: { ...headers, ...length },
    })
    call.end(hasBody ? body : undefined)
    const [reply] = (await once(call, 'response')) as [IncomingMessage]
    return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) }
  }
}

/** Sends bytes, ends the connection, and returns everything that comes back. */
export async function sendBytes(url: string, bytes: string): Promise<string> {
  const connection = await rawConnection(url)
  connection.socket.end(bytes, 'latin1')
  return connection.answer()
}
