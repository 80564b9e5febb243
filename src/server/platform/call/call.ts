import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { Lazy } from '../memory.ts'
import { acceptedEncoding, Exchange } from './exchange.ts'

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
 * Its own timeouts are off: a call has one for everything. It follows no redirect. Loaded with the
 * first call: it is a third of a `leads` command's code, and few commands make calls.
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

/** Some hosts refuse a request without a user agent. */
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

/** By lower-case name; a list where the header came more than once. */
export type ReplyHeaders = IncomingHttpHeaders

export type CallResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly body: string
    }
  /** A status came, its body did not come whole. */
  | {
      readonly kind: 'cut-short'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly why: Interruption | 'too-large'
    }
  | {
      readonly kind: 'no-answer'
      readonly why: Interruption
      /** False only where it is certain that the request did not leave this machine whole. */
      readonly maybeSent: boolean
      /** The system's name for it, such as ECONNREFUSED; empty where it gave none. */
      readonly code: string
    }

export type Interruption = 'timeout' | 'stopped' | 'connection'

/** The value, or undefined where the text is no JSON (JSON itself has no undefined). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Connection =
  | { readonly ok: true }
  /** The system's or OpenSSL's name for why, such as ENOTFOUND or CERT_HAS_EXPIRED. */
  | { readonly ok: false; readonly code: string }

export interface Place {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

/** Where a URL leads; its path and query, which may hold a key, are left behind. */
export function placeOf(url: string, otherwisePort: number): Place {
  const { hostname, port, protocol } = new URL(url)
  const isSecure = protocol === 'https:'
  const usual = isSecure ? 443 : otherwisePort
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual, isSecure }
}

/**
 * Opens a connection, over https as far as a certificate that holds, and closes it without a word: no request is made, so
 * nothing is billed and nothing counts as a lead.
 */
export function connect({ host, port, isSecure }: Place, timeoutMs: number): Promise<Connection> {
  const { promise, resolve } = Promise.withResolvers<Connection>()
  const socket = isSecure
    ? connectSecurely({ host, port, servername: isIP(host) === 0 ? host : '' })
    : connectPlain({ host, port })
  socket.setTimeout(timeoutMs, () => resolve({ ok: false, code: 'timeout' }))
  socket.on(isSecure ? 'secureConnect' : 'connect', () => resolve({ ok: true }))
  socket.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ ok: false, code: error.code ?? 'no connection' }),
  )
  socket.on('end', () => resolve({ ok: false, code: 'closed by the other side' }))
  return promise.finally(() => socket.destroy())
}
