import { Lazy } from '../memory/lazy.ts'
import type { CallResult } from './call-result.ts'
import { acceptedEncoding } from './decode-body.ts'
import { Exchange } from './exchange.ts'

/** No contract of ours has a reply near this; more is a fault or an attack. Counted after decompression. */
export const maxReplyBytes = 64 * 1024

export interface Call {
  readonly method: 'GET' | 'POST'
  /** May hold a key: it is never repeated in what `call` returns. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds for the whole call: connecting, sending and the reply's last byte. */
  readonly timeoutMs: number
  /** Ends the call early. */
  readonly signal?: AbortSignal
}

const unlimited = 0

/**
 * How long a connection waits for its next call, in milliseconds, whatever the other side offers: one that fell silent
 * meanwhile would cost that call its time, and a lead an attempt that nobody knows the end of.
 */
const idleMs = 4000

/**
 * Its own timeouts are off: a call has one for everything. It follows no redirect. Read by whoever calls first: it is a
 * third of what a verb of `leads` reads, and few of them call anybody.
 */
const network = new Lazy(async () => {
  const { Agent } = await import('undici')
  return new Agent({
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    headersTimeout: unlimited,
    bodyTimeout: unlimited,
    connect: { timeout: unlimited },
  })
})

/** Some hosts refuse who does not say who they are. */
const ownHeaders = { 'user-agent': 'campus-enquiry', 'accept-encoding': acceptedEncoding }

/** One HTTP call. Never rejects, and never follows a redirect: that would hand a lead or a key to another host. */
export function call({ method, url, headers, body, timeoutMs, signal }: Call): Promise<CallResult> {
  const { promise, resolve } = Promise.withResolvers<CallResult>()
  const exchange = new Exchange(maxReplyBytes, resolve)
  if (signal?.aborted) {
    exchange.interrupt('stopped')
    return promise
  }
  const timer = setTimeout(() => exchange.interrupt('timeout'), timeoutMs)
  const onStop = () => exchange.interrupt('stopped')
  signal?.addEventListener('abort', onStop, { once: true })
  void exchange.run(async () => {
    const { origin, pathname, search } = new URL(url)
    const request = {
      origin,
      path: pathname + search,
      method,
      headers: { ...ownHeaders, ...headers },
    }
    const agent = await network.get()
    agent.dispatch(body === undefined ? request : { ...request, body }, exchange)
  })
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onStop)
  })
}
