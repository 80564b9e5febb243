import { createServer, type Socket } from 'node:net'

/** The server's reaction to a connection once the request's first bytes have arrived. */
export type Misbehaviour = (socket: Socket, requestText: string) => void

/**
 * Starts a TCP server on loopback, for replies that no HTTP library would send.
 * @param port 0 for any free port
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

/** Formats a complete HTTP/1.1 reply. */
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
