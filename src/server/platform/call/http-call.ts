import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { connectPublicly } from './public-network.ts'

/** The limit for a decompressed reply. Expected replies are far smaller: a longer reply is a fault or an attack. */
export const maxReplyBytes = 64 * 1024

export interface HttpCall {
  readonly method: 'GET' | 'POST'
  /** The URL may contain a key, so no `CallResult` contains the URL. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The limit for the whole call, from connecting to the reply's last byte, in milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Whether to refuse http, and hosts outside the public internet: a partner's URL must not reach our own network. */
  readonly isPublicOnly?: boolean
  /** How many bytes of the reply to read; without this number, a reply longer than `maxReplyBytes` is a fault. */
  readonly keepBytes?: number
}

/**
 * How long an idle connection stays open for the next call, in milliseconds. A call on a connection that has died would
 * time out, and nobody would know whether the lead arrived.
 */
const idleMs = 4000

/** The HTTP client's own timeouts are off, because `timeoutMs` limits each call as a whole. */
const clientSettings = {
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: idleMs,
  headersTimeout: 0,
  bodyTimeout: 0,
}
const network = new Agent({ ...clientSettings, connect: { timeout: 0 } })
const publicNetwork = new Agent({ ...clientSettings, connect: connectPublicly })

/** Some hosts refuse a request without a user agent. */
const defaultHeaders = { 'user-agent': 'campus-enquiry', 'accept-encoding': 'gzip' }

/** Makes one HTTP call and never rejects. Follows no redirect, which could hand a lead or a key to another host. */
export async function sendRequest(request: HttpCall): Promise<CallResult> {
  const { timeoutMs, signal, keepBytes = maxReplyBytes } = request
  const { promise, resolve } = Promise.withResolvers<CallResult>()
  let controller: Dispatcher.DispatchController | undefined
  let reply: ReplyHead | undefined
  let isOver = false
  /** Undefined if the reply is not compressed, or in an unknown way. */
  let decoder: Transform | undefined
  const chunks: Buffer[] = []
  let [received, bytes] = [0, 0]
  const answer = (): void => {
    if (reply === undefined) return
    const isReadable = decoder !== undefined || findEncoding(reply) === 'identity'
    const body = isReadable ? Buffer.concat(chunks).toString() : unreadableReply
    resolve({ kind: 'answered', ...reply, body })
  }
  const keep = (chunk: Buffer): void => {
    chunks.push(chunk.subarray(0, keepBytes - bytes))
    bytes += chunk.length
    if (bytes > keepBytes) end('too-large')
  }
  const end = (why: NoReplyCause | 'too-large', code = ''): void => {
    isOver = true
    decoder?.destroy()
    if (why === 'too-large' && request.keepBytes !== undefined) answer()
    else if (reply !== undefined) resolve({ kind: 'cut-short', ...reply, why })
    // undici passes its controller when it starts to send, so without a controller, nothing was sent.
    else if (why !== 'too-large')
      resolve({ kind: 'no-answer', why, maybeSent: controller !== undefined, code })
    controller?.abort(new Error(why))
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      if (isOver) started.abort(new Error('ended before it began'))
      else controller = started
    },
    onResponseStart: (_, status, headers) => {
      reply = { status, headers }
      decoder = decoders.get(findEncoding(reply))?.()
      decoder
        ?.on('data', keep)
        .on('end', answer)
        .on('error', () => end('connection'))
    },
    onResponseData: (_, chunk) => {
      received += chunk.length
      if (received > maxReplyBytes) end('too-large')
      else if (decoder === undefined) keep(chunk)
      else decoder.write(chunk)
    },
    onResponseEnd: () => {
      // A reply without a body, such as a 204, may name an encoding, too.
      if (decoder === undefined || received === 0) answer()
      else decoder.end()
    },
    onResponseError: (_, error) => end('connection', findLoggableCode(error)),
  }
  const timer = setTimeout(end, timeoutMs, 'timeout')
  const onStop = () => end('stopped')
  signal?.addEventListener('abort', onStop, { once: true })
  try {
    if (signal?.aborted) onStop()
    else dispatch(request, handler)
  } catch (error) {
    end('connection', findLoggableCode(error))
  }
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onStop)
  })
}

function dispatch(
  { method, url, headers, body, isPublicOnly }: HttpCall,
  handler: Dispatcher.DispatchHandler,
): void {
  const { origin, pathname, search } = new URL(url)
  const client = isPublicOnly ? publicNetwork : network
  client.dispatch(
    {
      origin,
      path: pathname + search,
      method,
      headers: { ...defaultHeaders, ...headers },
      body: body ?? null,
    },
    handler,
  )
}

/** Stands for a reply whose encoding we cannot read; the encoding's name may quote our request. */
const unreadableReply = '(compressed reply)'

const findEncoding = ({ headers }: ReplyHead): string =>
  String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase() || 'identity'

/** Makes a decoder by its encoding, whatever the request asked for, because some servers compress every reply. */
const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
  // Without this limit of RFC 9659, a reply could make the decoder reserve 128 MB.
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
])

/** Returns an error's code, and not its message, because the message may quote the URL with its key. */
function findLoggableCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,63}$/.test(code) ? code : ''
}

/** The reply's headers by lower-case name. If a header came more than once, its value may be a list. */
export type ReplyHeaders = IncomingHttpHeaders

interface ReplyHead {
  readonly status: number
  readonly headers: ReplyHeaders
}

export type CallResult =
  | (ReplyHead & { readonly kind: 'answered'; readonly body: string })
  /** The reply's status arrived, but the body broke off or was too long. */
  | (ReplyHead & { readonly kind: 'cut-short'; readonly why: NoReplyCause | 'too-large' })
  | {
      readonly kind: 'no-answer'
      readonly why: NoReplyCause
      /** False only if the request certainly was not sent, not even in part. */
      readonly maybeSent: boolean
      /** The operating system's error code, such as ECONNREFUSED; empty if the error had no code. */
      readonly code: string
    }

type NoReplyCause = 'timeout' | 'stopped' | 'connection'

/** @returns the parsed value, or undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Connects to a URL's host, for https with a TLS handshake. Sends no request, so that nothing is billed.
 * @returns undefined, or the cause of a failure, such as `timeout`, or ENOTFOUND from the operating system or OpenSSL
 */
export function findConnectionFault(url: string, timeoutMs: number): Promise<string | undefined> {
  const { hostname, host, port, protocol } = new URL(url)
  const connect = buildConnector({ timeout: timeoutMs })
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const address = { hostname: hostname.replace(/^\[|\]$/g, ''), host, port, protocol }
  connect(address, (error: NodeJS.ErrnoException | null, socket) => {
    socket?.destroy()
    const isTimeout = error?.code === 'UND_ERR_CONNECT_TIMEOUT'
    resolve(isTimeout ? 'timeout' : error ? (error.code ?? 'no connection') : undefined)
  })
  return promise
}
