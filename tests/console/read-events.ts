import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { SignedIn } from './console-visitor.ts'

/** Receives the console's events as an open page does. */
export async function readEvents(who: SignedIn) {
  const whole = new AbortController()
  const reply = await fetch(`${who.origin}/events`, {
    headers: { cookie: who.cookie },
    signal: whole.signal,
  })
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`)
  const body = Readable.fromWeb(reply.body as ReadableStream)
  body.on('error', () => undefined)
  const lines = createInterface({ input: body })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    for (;;) {
      const { value: line, done } = await lines.next()
      if (done) throw new Error('the stream has ended')
      if (line.startsWith('event: ')) return line.slice('event: '.length)
    }
  }
  return {
    headers: reply.headers,
    next,
    /** The next event other than a sign of a working connection. */
    nextNews: async (): Promise<string> => {
      for (;;) {
        const event = await next()
        if (event !== 'same') return event
      }
    },
    /** Resolves once the stream has ended. */
    isOver: async (): Promise<boolean> => {
      while (!(await lines.next()).done);
      return true
    },
    close: async () => whole.abort(),
  }
}
