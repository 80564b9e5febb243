import { createServer, type Socket } from 'node:net'

/** What a test's server does with a connection once the request's first bytes are in. */
export type Misbehaviour = (socket: Socket, requestText: string) => void

/**
 * A server below HTTP, for replies that no HTTP library would send, on loopback.
 * @param port 0 for any that is free
 */
export async function startHostileServer(
  misbehave: Misbehaviour,
  port = 0,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', (bytes) => misbehave(socket, bytes.toString()))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A whole HTTP/1.1 reply as it goes over the wire. */
export function httpReply(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const lines = Object.entries({
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${body}`
}
