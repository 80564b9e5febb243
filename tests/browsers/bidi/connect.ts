import { once } from 'node:events'

export interface Connection {
  /** One command of the protocol; what the browser refuses is thrown. */
  send<Result>(method: string, params?: object): Promise<Result>
  close(): void
}

interface Reply {
  readonly id?: number | null
  readonly type: 'success' | 'error' | 'event'
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
}

/** Speaks WebDriver BiDi: JSON over a WebSocket (https://w3c.github.io/webdriver-bidi/). Events are not listened to. */
export async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message }: Reply = JSON.parse(String(data))
    const asked = waiting.get(id ?? 0)
    if (!asked) return
    waiting.delete(id ?? 0)
    if (type === 'error') asked.reject(new Error(`${error}: ${message}`))
    else asked.resolve(result)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser hung up'))
  })
  let lastId = 0
  return {
    send<Result>(method: string, params: object = {}) {
      const asked = Promise.withResolvers<unknown>()
      lastId += 1
      waiting.set(lastId, asked)
      socket.send(JSON.stringify({ id: lastId, method, params }))
      return asked.promise as Promise<Result>
    },
    close: () => socket.close(),
  }
}
