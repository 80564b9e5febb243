import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * The data that is lost on all existing connections: everything, or only the server's answers. New connections may be
 * affected, too.
 */
export type Silence = 'both ways' | 'answers' | 'both ways, new connections too'

export interface FaultyLine {
  /** PostgreSQL's address through this proxy. */
  readonly url: string
  /** Resolves when some connection sends `text`, which still reaches the server. */
  sent(text: string): Promise<void>
  /**
   * Cuts the connection that next sends `text`, before the server gets it or after the server has answered. Resolves
   * when it is cut.
   */
  severAt(text: string, when: 'before' | 'after'): Promise<void>
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
}

/**
 * The keep-alive time that open-postgres.ts sets on the server, in milliseconds. Its probes are answered by this
 * machine.
 */
const keepAliveMs = 25_000

/** A proxy between a client and PostgreSQL, on loopback, which fails like a network. */
export async function startFaultyLine(serverUrl: string): Promise<FaultyLine> {
  const target = new URL(serverUrl)
  let sever: { text: string; when: 'before' | 'after'; onCut: () => void } | undefined
  let awaited: { text: string; onSent: () => void } | undefined
  let silenceAt: { text: string; silence: Silence; onSilent: () => void } | undefined
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

  // With half-open sockets, the proxy does not answer the end of a connection, which would be one more packet.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const place = { port: Number(target.port), host: target.hostname, allowHalfOpen: true }
    const upstream = connect(place)
    const swallowed: Connection['swallowed'] = new Set()
    connections.add({ swallowed, upstream })
    if (meetsNewOnes) swallowed.add('questions').add('answers')
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    let onAnswerLost: (() => void) | undefined
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
      if (sever !== undefined && chunk.includes(sever.text)) {
        const { when, onCut } = sever
        sever = undefined
        if (when === 'after') onAnswerLost = onCut
        else {
          cut()
          return onCut()
        }
      }
      if (!swallowed.has('questions')) upstream.write(chunk)
      if (awaited !== undefined && chunk.includes(awaited.text)) {
        awaited.onSent()
        awaited = undefined
      }
      if (silenceAt !== undefined && chunk.includes(silenceAt.text)) {
        const { silence, onSilent } = silenceAt
        silenceAt = undefined
        fallSilent(silence)
        onSilent()
      }
    })
    upstream.on('data', (chunk) => {
      if (swallowed.has('answers')) return
      if (onAnswerLost === undefined) return client.write(chunk)
      cut()
      onAnswerLost()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const address = server.address()
  const url = new URL(serverUrl)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    sent: (text) =>
      new Promise((onSent) => {
        awaited = { text, onSent }
      }),
    severAt: (text, when) =>
      new Promise((onCut) => {
        sever = { text, when, onCut }
      }),
    fallSilent,
    fallSilentAt: (text, silence) =>
      new Promise((onSilent) => {
        silenceAt = { text, silence, onSilent }
      }),
    endSilence: () => {
      meetsNewOnes = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
