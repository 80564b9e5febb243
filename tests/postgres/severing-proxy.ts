import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface SeveringProxy {
  /** The server's address, by way of the proxy. */
  readonly url: string
  /**
   * Cuts the connection that next sends `text`: before the server has it, or once it has answered. Resolves when it is
   * cut.
   */
  severAt(text: string, when: 'before' | 'after'): Promise<void>
  close(): Promise<void>
}

/** Stands between a client and PostgreSQL, on loopback, and fails as a network does. */
export async function startSeveringProxy(serverUrl: string): Promise<SeveringProxy> {
  const target = new URL(serverUrl)
  let sever: { text: string; when: 'before' | 'after'; onCut: () => void } | undefined
  const sockets = new Set<Socket>()

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    let onAnswerLost: (() => void) | undefined
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', cut)
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
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
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
    severAt: (text, when) =>
      new Promise((onCut) => {
        sever = { text, when, onCut }
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
