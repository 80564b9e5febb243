import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { Lazy } from '../memory.ts'
import { acceptedEncoding, Exchange } from './exchange.ts'

/** The limit for a decompressed reply. No reply in our contracts comes near it, so a longer one is a fault or an attack. */
export const maxReplyBytes = 64 * 1024

export interface Call {
  readonly method: 'GET' | 'POST'
  /** The URL may hold a key, so `call` never repeats it in its result. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds for the whole call, from connecting to the reply's last byte. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

const unlimited = 0

/**
 * How long an idle connection is kept for the next call, in milliseconds, whatever the server offers. A call on a
 * connection that died meanwhile would time out, and nobody would know whether the lead arrived.
 */
const idleMs = 4000

/**
 * The HTTP client. Its own timeouts are off because each call has one timeout for everything. undici is loaded with the
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
const defaultHeaders = { 'user-agent': 'campus-enquiry', 'accept-encoding': acceptedEncoding }

/** Makes one HTTP call and never rejects. It follows no redirect, which would hand a lead or a key to another host. */
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
      headers: { ...defaultHeaders, ...headers },
    }
    const agent = await network.get()
    agent.dispatch(body === undefined ? request : { ...request, body }, exchange)
  })
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onStop)
  })
}

/** Headers by lower-case name. A header that came more than once has a list of values. */
export type ReplyHeaders = IncomingHttpHeaders

export type CallResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly body: string
    }
  /** The reply's status arrived, but its body did not arrive completely. */
  | {
      readonly kind: 'cut-short'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly why: Interruption | 'too-large'
    }
  | {
      readonly kind: 'no-answer'
      readonly why: Interruption
      /** False only if the request certainly did not leave this machine completely. */
      readonly maybeSent: boolean
      /** The operating system's error code, such as ECONNREFUSED; empty if there was none. */
      readonly code: string
    }

export type Interruption = 'timeout' | 'stopped' | 'connection'

/** @returns the value, or undefined if the text is not JSON (JSON itself has no undefined) */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Connection =
  | { readonly ok: true }
  /** The error code of the operating system or OpenSSL, such as ENOTFOUND or CERT_HAS_EXPIRED. */
  | { readonly ok: false; readonly code: string }

export interface Place {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

/** Takes host, port and protocol from a URL. The path and query may hold a key, so they are dropped. */
export function placeOf(url: string, otherwisePort: number): Place {
  const { hostname, port, protocol } = new URL(url)
  const isSecure = protocol === 'https:'
  const usual = isSecure ? 443 : otherwisePort
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual, isSecure }
}

/**
 * Opens a connection, with https including the TLS handshake, and closes it without a request. So nothing is billed,
 * and no lead is sent.
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
