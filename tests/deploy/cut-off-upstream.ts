import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** When a POST's connection is cut off: before the product was asked, or when it has done what was asked. */
export type CutOff = 'before' | 'after'

/**
 * The product as a proxy meets it where a process ends at the worst moment: each POST, told apart by its body, loses its
 * connection without an answer the first time, and is answered when it comes again.
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
    /** How many POSTs were cut off. */
    cutOffs: () => met.size,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
