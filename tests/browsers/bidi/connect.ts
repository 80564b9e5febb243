import { once } from 'node:events'
import { commandTimeoutMs } from '../eventually.ts'

export interface Connection {
  /** Sends one command of the protocol; rejects if the browser refuses it. */
  send<Result>(method: string, params?: object): Promise<Result>
  /** Calls back whenever a page has loaded in the context, without a command to the browser. */
  onLoad(context: string, listener: () => void): void
}

type Message =
  | { readonly type: 'success'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number | null; error: string; message: string }
  | { readonly type: 'event'; readonly method: string; readonly params: { context?: string } }

/** Connects with WebDriver BiDi: JSON over a WebSocket (https://w3c.github.io/webdriver-bidi/). */
export async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const asked = new Map<number | null, PromiseWithResolvers<unknown>>()
  const listeners = new Map<string | undefined, () => void>()
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data))
    if (message.type === 'event') {
      if (message.method === 'browsingContext.load') listeners.get(message.params.context)?.()
    } else if (message.type === 'error') {
      asked.get(message.id)?.reject(new Error(`${message.error}: ${message.message}`))
    } else {
      asked.get(message.id)?.resolve(message.result)
    }
  })
  socket.addEventListener('close', () => {
    for (const { reject } of asked.values()) reject(new Error('the browser hung up'))
  })
  let lastId = 0
  return {
    async send<Result>(method: string, params: object = {}) {
      lastId += 1
      const id = lastId
      const answer = Promise.withResolvers<unknown>()
      asked.set(id, answer)
      const silence = new Error(`${method}: the browser did not answer`)
      const timer = setTimeout(() => answer.reject(silence), commandTimeoutMs)
      socket.send(JSON.stringify({ id, method, params }))
      try {
        return (await answer.promise) as Result
      } finally {
        clearTimeout(timer)
        asked.delete(id)
      }
    },
    onLoad(context, listener) {
      listeners.set(context, listener)
    },
  }
}
