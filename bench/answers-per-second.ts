import { connect, type Socket } from 'node:net'

const request = (host: string, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: br\r\n\r\n`

/**
 * Asks for one address over and over, one request at a time on each connection. It reads no more of an answer than its
 * end needs: a load generator that costs more than a bare server would measure itself (autocannon did: it kept that
 * server's process only 30 % busy).
 * @throws where an answer is not 200
 */
export async function answersPerSecond(
  address: string,
  connections: number,
  durationMs: number,
): Promise<number> {
  const { host, hostname, port, pathname } = new URL(address)
  const ask = request(host, pathname)
  const sockets: Socket[] = []
  let answers = 0
  const startedAt = performance.now()
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, durationMs)
      for (let index = 0; index < connections; index++) {
        const socket = connect(Number(port), hostname)
        sockets.push(socket)
        let missing = 0
        socket.setNoDelay()
        socket.on('connect', () => socket.write(ask))
        socket.on('error', reject)
        socket.on('close', () => reject(new Error('the server closed a connection')))
        socket.on('data', (chunk: Buffer) => {
          try {
            missing = missing === 0 ? lengthOf(chunk) - chunk.length : missing - chunk.length
          } catch (error) {
            reject(error)
          }
          if (missing !== 0) return
          answers++
          socket.write(ask)
        })
      }
    })
    return answers / ((performance.now() - startedAt) / 1000)
  } finally {
    for (const socket of sockets) socket.removeAllListeners('close').destroy()
  }
}

/** Of the whole answer, in bytes; its head always comes in one piece, as servers write it at once. */
function lengthOf(chunk: Buffer): number {
  const headLength = chunk.indexOf('\r\n\r\n') + 4
  const head = chunk.toString('latin1', 0, headLength)
  const bodyLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 200 ') || bodyLength === undefined) {
    throw new Error(`an answer that cannot be counted:\n${head}`)
  }
  return headLength + Number(bodyLength)
}
