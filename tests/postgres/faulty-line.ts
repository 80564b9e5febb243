import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What vanishes, of every connection that there is: all, or the server's answers alone; new ones may be met by it too. */
export type Silence = 'both ways' | 'answers' | 'both ways, new connections too'

export interface FaultyLine {
  /** The server's address, by way of the line. */
  readonly url: string
  /** Resolves when some connection sends `text`, which the server still gets. */
  sent(text: string): Promise<void>
  /**
   * Cuts the connection that next sends `text`: before the server has it, or once it has answered. Resolves when it is
   * cut.
   */
  severAt(text: string, when: 'before' | 'after'): Promise<void>
  /**
   * From now on nothing comes through on the connections that there are, and nothing is closed: either end believes in
   * the other, as after a failover, the server for as long as its keep-alives take. New connections are as good as ever,
   * or are once `endSilence` is called.
   */
  fallSilent(silence: Silence): void
  /** The same at the moment when some connection has sent `text`, which the server still gets. Resolves then. */
  fallSilentAt(text: string, silence: Silence): Promise<void>
  /** Connections that are made from now on work. */
  endSilence(): void
  close(): Promise<void>
}

interface Connection {
  readonly swallowed: Set<'questions' | 'answers'>
  readonly upstream: Socket
}

/** As open-postgres.ts asks of the server's kernel, which hears this one's on every line, in milliseconds. */
const keepAlivesTake = 25_000

/** Stands between a client and PostgreSQL, on loopback, and fails as a network does. */
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
      if (swallowed.size === 0) setTimeout(() => upstream.destroy(), keepAlivesTake).unref()
      swallowed.add('answers')
      if (silence !== 'answers') swallowed.add('questions')
    }
  }

  // Half open, as the answer to an end would be one more packet.
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
