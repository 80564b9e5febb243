import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { SignedIn } from './console-visitor.ts'

export interface ReadEvent {
  readonly id?: string
  readonly event?: string
  readonly data?: string
}

/** Follows the console as an open page does. */
export async function readEvents(who: SignedIn, query: string) {
  const whole = new AbortController()
  const reply = await fetch(`${who.origin}/events?${query}`, {
    headers: { cookie: who.cookie },
    signal: whole.signal,
  })
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`)
  const body = Readable.fromWeb(reply.body as ReadableStream)
  body.on('error', () => undefined)
  const lines = createInterface({ input: body })[Symbol.asyncIterator]()
  return {
    headers: reply.headers,
    /** The next event that says anything but that nothing happened. */
    next: async (): Promise<ReadEvent> => {
      let event: Record<string, string> = {}
      for (;;) {
        const { value: line, done } = await lines.next()
        if (done) throw new Error('the stream has ended')
        if (line === '' && event.event === 'sure') event = {}
        else if (line === '' && event.event !== undefined) return event
        const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
        if (name !== '') event[name] = value
      }
    },
    /** Resolves once it has ended. */
    isOver: async (): Promise<boolean> => {
      while (!(await lines.next()).done);
      return true
    },
    close: async () => whole.abort(),
  }
}
