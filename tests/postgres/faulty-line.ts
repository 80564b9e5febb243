import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { patience } from '../patience/patience.ts'

/**
 * The data that is lost on all existing connections: everything, or only the server's answers. New connections may be
 * affected, too.
 */
export type Silence = 'both ways' | 'answers' | 'both ways, new connections too'

/** A commit as it is sent; other statements contain the word, too. */
export const commit = 'commit\0'

/** Every wait for a text ends the one before it, and rejects if no connection sends the text. */
export interface FaultyLine {
  /** PostgreSQL's address through this proxy. */
  readonly url: string
  /** Resolves when some connection sends `text`, which still reaches the server. */
  sent(text: string): Promise<void>
  /**
   * Cuts the connection that next sends all texts, one after the other, before the server gets the last one or after the
   * server has answered it. Resolves when it is cut.
   */
  severAt(texts: readonly string[], when: 'before' | 'after'): Promise<void>
  /**
   * From now on existing connections transfer nothing and are not closed. Both ends believe that the other exists, as
   * after a failover, the server until its keep-alive fails. New connections work, at the latest after `endSilence`.
   */
  fallSilent(silence: Silence): void
  /** Falls silent when some connection has sent `text`, which still reaches the server. Resolves at that moment. */
  fallSilentAt(text: string, silence: Silence): Promise<void>
  /** Makes new connections work. */
  endSilence(): void
  close(): Promise<void>
}

interface Connection {
  readonly swallowed: Set<'questions' | 'answers'>
  readonly upstream: Socket
  cut(): void
  onAnswer?: () => void
}

interface Wait {
  readonly texts: readonly string[]
  /** How many of the texts each connection has sent. */
  readonly sent: Map<Connection, number>
  readonly onSent: (by: Connection) => void
  readonly limit: NodeJS.Timeout
}

/**
 * The keep-alive time that open-postgres.ts sets on the server, in milliseconds. Its probes are answered by this
 * machine.
 */
const keepAliveMs = 25_000

/** A proxy between a client and PostgreSQL, on loopback, which fails like a network. */
export async function startFaultyLine(serverUrl: string): Promise<FaultyLine> {
  const target = new URL(serverUrl)
  let wait: Wait | undefined
  let meetsNewOnes = false
  const sockets = new Set<Socket>()
  const connections = new Set<Connection>()

  const fallSilent = (silence: Silence) => {
    meetsNewOnes = silence === 'both ways, new connections too'
    for (const { swallowed, upstream } of connections) {
      if (swallowed.size === 0) setTimeout(() => upstream.destroy(), keepAliveMs).unref()
      swallowed.add('answers')
      if (silence !== 'answers') swallowed.add('questions')
    }
  }

  /** Calls `act` when a connection sends the last of the texts, and resolves when `act` calls `done`. */
  const whenSent = (
    texts: readonly string[],
    act: (by: Connection, done: () => void) => void,
  ): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const words = texts.map((text) => JSON.stringify(text)).join(' and then ')
    const fail = () => reject(new Error(`No connection sent ${words} within ${patience} ms.`))
    clearTimeout(wait?.limit)
    const limit = setTimeout(fail, patience)
    const onSent = (by: Connection) => {
      wait = undefined
      act(by, () => {
        clearTimeout(limit)
        resolve()
      })
    }
    wait = { texts, sent: new Map(), onSent, limit }
    return promise
  }
  const look = (chunk: string | Buffer, by: Connection) => {
    if (wait === undefined) return
    const { texts, sent, onSent } = wait
    const before = sent.get(by) ?? 0
    if (!chunk.includes(texts[before] ?? '')) return
    sent.set(by, before + 1)
    if (before + 1 === texts.length) onSent(by)
  }

  // With half-open sockets, the proxy does not answer the end of a connection, which would be one more packet.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const place = { port: Number(target.port), host: target.hostname, allowHalfOpen: true }
    const upstream = connect(place)
    const swallowed: Connection['swallowed'] = new Set()
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    const connection: Connection = { swallowed, upstream, cut }
    connections.add(connection)
    if (meetsNewOnes) swallowed.add('questions').add('answers')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      const unlessSilent = (act: () => unknown) => () => swallowed.size === 0 && act()
      socket.on(
        'end',
        unlessSilent(() => other.end()),
      )
      socket.on('error', unlessSilent(cut)).on('close', unlessSilent(cut))
    }
    client.on('data', (chunk) => {
      const isSwallowed = swallowed.has('questions')
      look(chunk, connection)
      if (!isSwallowed && !upstream.destroyed) upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (swallowed.has('answers')) return
      if (connection.onAnswer === undefined) client.write(chunk)
      else connection.onAnswer()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const address = server.address()
  const url = new URL(serverUrl)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    sent: (text) => whenSent([text], (_, done) => done()),
    severAt: (texts, when) =>
      whenSent(texts, (connection, done) => {
        const cut = () => {
          connection.cut()
          done()
        }
        if (when === 'before') cut()
        else connection.onAnswer = cut
      }),
    fallSilent,
    fallSilentAt: (text, silence) =>
      whenSent([text], (_, done) => {
        fallSilent(silence)
        done()
      }),
    endSilence: () => {
      meetsNewOnes = false
    },
    close: async () => {
      clearTimeout(wait?.limit)
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
