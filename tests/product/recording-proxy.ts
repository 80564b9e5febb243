import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Proxied {
  readonly url: string
  readonly body: string
}

/**
 * Forwards every request to `target`, and records the requested addresses.
 * @param answer returns what to send instead of the target's answer, if anything
 */
export async function startRecordingProxy(
  target: string,
  answer: (proxied: Proxied) => string | undefined = () => undefined,
) {
  const urls: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '', headers } = incoming
    urls.push(url)
    const body = await text(incoming)
    const said = answer({ url, body })
    if (said !== undefined) return outgoing.socket?.end(said)
    const call = request(new URL(url, target), { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    call.on('error', () => outgoing.destroy())
    call.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    urls,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
