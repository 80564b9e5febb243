import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** When a POST's connection is cut: before the product gets the request, or after the product has processed it. */
export type CutOff = 'before' | 'after'

/**
 * Simulates a process that ends at the worst moment, for a proxy in front. Each POST, identified by its body, loses its
 * connection the first time and is answered when the proxy repeats it.
 */
export async function startCutOffUpstream(productUrl: string, cutOff: CutOff) {
  const met = new Set<string>()
  const ask = async (message: IncomingMessage, body: Buffer) => {
    const { method, headers, url } = message
    const call = request(productUrl + url, { method, headers }).end(body)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
  }
  const server = createServer(async (message, response) => {
    const body = await buffer(message)
    const isCutOff = message.method === 'POST' && !met.has(body.toString())
    if (isCutOff) met.add(body.toString())
    if (isCutOff && cutOff === 'before') return message.socket.resetAndDestroy()
    const answer = await ask(message, body)
    if (isCutOff) return message.socket.resetAndDestroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** The number of POSTs that were cut off. */
    cutOffs: () => met.size,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
