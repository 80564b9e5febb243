import { connect, type Socket } from 'node:net'

export interface Load {
  readonly address: string
  /** One request at a time on each. */
  readonly connections: number
  readonly durationMs: number
  /**
   * From one request of a connection to its next, in milliseconds, however long the answer takes: without it the next
   * follows the answer at once.
   */
  readonly everyMs?: number
  /** The next request, head and body: called for each. */
  readonly request: () => string
  /** What every answer must have. */
  readonly status: 200 | 201
}

export interface Answers {
  readonly perSecond: number
  /** From writing a request to its answer's last byte, in milliseconds, one by one. */
  readonly latencies: readonly number[]
}

/**
 * Sends one request after the other on each connection. It reads no more of an answer than its end needs: a load
 * generator that costs more than a bare server would measure itself (autocannon did: it kept that server's process
 * only 30 % busy).
 * @throws where an answer has another status or a connection ends
 */
export async function load(options: Load): Promise<Answers> {
  const { address, connections, durationMs, everyMs, request, status } = options
  const { hostname, port } = new URL(address)
  const sockets: Socket[] = []
  const latencies: number[] = []
  const startedAt = performance.now()
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, durationMs)
      for (let index = 0; index < connections; index++) {
        const socket = connect(Number(port), hostname)
        sockets.push(socket)
        let missing = 0
        // Of a request that an answer has kept waiting, when it was due: who waits behind another has waited, too.
        let askedAt = startedAt + (index * (everyMs ?? 0)) / connections
        const ask = () => socket.write(request())
        const askNext = () => {
          const now = performance.now()
          askedAt = everyMs === undefined ? now : askedAt + everyMs
          if (askedAt <= now) ask()
          else setTimeout(ask, askedAt - now)
        }
        socket.setNoDelay()
        socket.on('connect', askNext)
        socket.on('error', reject)
        socket.on('close', () => reject(new Error('the server closed a connection')))
        socket.on('data', (chunk: Buffer) => {
          try {
            missing = (missing === 0 ? lengthOf(chunk, status) : missing) - chunk.length
          } catch (error) {
            reject(error)
          }
          if (missing !== 0) return
          latencies.push(performance.now() - askedAt)
          askNext()
        })
      }
    })
    return { perSecond: latencies.length / ((performance.now() - startedAt) / 1000), latencies }
  } finally {
    for (const socket of sockets) socket.removeAllListeners('close').destroy()
  }
}

/** Of the whole answer, in bytes; its head always comes in one piece, as servers write it at once. */
function lengthOf(chunk: Buffer, status: number): number {
  const headLength = chunk.indexOf('\r\n\r\n') + 4
  const head = chunk.toString('latin1', 0, headLength)
  const bodyLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!head.startsWith(`HTTP/1.1 ${status} `) || bodyLength === undefined) {
    throw new Error(`an answer that cannot be counted:\n${chunk.toString()}`)
  }
  return headLength + Number(bodyLength)
}
