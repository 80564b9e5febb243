import { connect, type Socket } from 'node:net'

export interface Load {
  readonly address: string
  /** The number of connections, each with one request at a time. */
  readonly connections: number
  readonly durationMs: number
  /**
   * The interval between a connection's requests in milliseconds, however long an answer takes; if undefined, the next
   * request follows the answer at once.
   */
  readonly everyMs?: number
  /** Makes the next request, head and body. */
  readonly request: () => string
  /** The status that every answer must have. */
  readonly status: 200 | 201
}

export interface Answers {
  readonly perSecond: number
  /** For each request, the milliseconds from writing it to the last byte of its answer. */
  readonly latencies: readonly number[]
}

/**
 * Sends one request after the other on each connection. It reads only as much of an answer as it needs to find the end:
 * a load generator that costs more than a bare server would measure itself (autocannon kept that server only 30 %
 * busy).
 * @throws if an answer has another status or a connection ends
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
        // A request that had to wait for an earlier answer counts from the time when it was due, as a visitor would.
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

/** The size of the whole answer in bytes. Its head always arrives in one piece, because servers write it at once. */
function lengthOf(chunk: Buffer, status: number): number {
  const headLength = chunk.indexOf('\r\n\r\n') + 4
  const head = chunk.toString('latin1', 0, headLength)
  const bodyLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!head.startsWith(`HTTP/1.1 ${status} `) || bodyLength === undefined) {
    throw new Error(`an answer that cannot be counted:\n${chunk.toString()}`)
  }
  return headLength + Number(bodyLength)
}
