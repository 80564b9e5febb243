import type { IncomingHttpHeaders } from 'node:http'
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
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
  let reply: { readonly status: number; readonly headers: ReplyHeaders } | undefined
  let isOver = false
  const chunks: Buffer[] = []
  let bytes = 0
  const end = (why: NoReplyCause | 'too-large', code = ''): void => {
    isOver = true
    if (reply !== undefined && why === 'too-large' && request.keepBytes !== undefined)
      resolve({ kind: 'answered', ...reply, body: decodeStart(chunks, reply.headers, keepBytes) })
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
    },
    onResponseData: (_, chunk) => {
      chunks.push(chunk.subarray(0, keepBytes - bytes))
      bytes += chunk.length
      if (bytes > keepBytes) end('too-large')
    },
    onResponseEnd: () => {
      if (reply === undefined) return
      try {
        const { headers } = reply
        const body =
          request.keepBytes === undefined
            ? decodeBody(Buffer.concat(chunks), headers).toString()
            : decodeStart(chunks, headers, keepBytes)
        resolve({ kind: 'answered', ...reply, body })
      } catch (error) {
        end(error instanceof RangeError ? 'too-large' : 'connection')
      }
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

/** Each decoder by the name of its encoding. Some servers send `deflate` without the header of zlib (RFC 9110). */
const decoders: Readonly<Record<string, (encoded: Buffer, isCut: boolean) => Buffer>> = {
  '': (encoded) => encoded,
  identity: (encoded) => encoded,
  gzip: (encoded, isCut) => gunzipSync(encoded, limitZlib(isCut)),
  'x-gzip': (encoded, isCut) => gunzipSync(encoded, limitZlib(isCut)),
  deflate: (encoded, isCut) => {
    try {
      return inflateSync(encoded, limitZlib(isCut))
    } catch (error) {
      if (error instanceof RangeError) throw error
      return inflateRawSync(encoded, limitZlib(isCut))
    }
  },
  br: (encoded, isCut) =>
    brotliDecompressSync(encoded, {
      maxOutputLength: maxReplyBytes,
      ...(isCut && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    }),
  zstd: (encoded, isCut) =>
    zstdDecompressSync(encoded, {
      maxOutputLength: maxReplyBytes,
      // Without this limit of RFC 9659, a reply could make the decoder reserve 128 MB.
      params: { [constants.ZSTD_d_windowLogMax]: 23 },
      ...(isCut && { finishFlush: constants.ZSTD_e_flush }),
    }),
}

const limitZlib = (isCut: boolean) => ({
  maxOutputLength: maxReplyBytes,
  ...(isCut && { finishFlush: constants.Z_SYNC_FLUSH }),
})

/**
 * Decodes a reply, whatever encoding the request asked for, because some servers compress every reply.
 * @param isCut whether the end of the reply is missing
 * @throws RangeError if the decompressed body is longer than `maxReplyBytes`, or another error if the body is not in
 *   its encoding
 */
function decodeBody(encoded: Buffer, headers: ReplyHeaders, isCut = false): Buffer {
  const encoding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase()
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
  if (decode === undefined) return Buffer.from(unreadableReply)
  // A reply without a body, such as a 204, may name an encoding, too.
  return encoded.length === 0 ? encoded : decode(encoded, isCut)
}

/** Decodes the start of a reply of which only the start is kept, so that a damaged body is no fault. */
function decodeStart(chunks: readonly Buffer[], headers: ReplyHeaders, keepBytes: number): string {
  try {
    return decodeBody(Buffer.concat(chunks), headers, true).subarray(0, keepBytes).toString()
  } catch {
    return unreadableReply
  }
}

/** Returns an error's code, and not its message, because the message may quote the URL with its key. */
function findLoggableCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,63}$/.test(code) ? code : ''
}

/** The reply's headers by lower-case name. If a header came more than once, its value may be a list. */
export type ReplyHeaders = IncomingHttpHeaders

export type CallResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly body: string
    }
  /** The reply's status arrived, but the body broke off or was too long. */
  | {
      readonly kind: 'cut-short'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly why: NoReplyCause | 'too-large'
    }
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
