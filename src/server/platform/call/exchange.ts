import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import type { CallResult, Interruption, ReplyHeaders } from './call.ts'

type NoAnswer = Extract<CallResult, { kind: 'no-answer' }>

/** One request and its reply, as undici reports them. The result is reported exactly once, whatever happens afterwards. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number
  readonly #tell: (result: CallResult) => void
  #controller: Dispatcher.DispatchController | undefined
  #isTold = false
  #reply: { readonly status: number; readonly headers: ReplyHeaders } | undefined
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number, tell: (result: CallResult) => void) {
    this.#maxBytes = maxBytes
    this.#tell = tell
  }

  /** @param dispatch sends the request; rejects if the request is invalid */
  async run(dispatch: () => Promise<void>): Promise<void> {
    try {
      await dispatch()
    } catch (error) {
      this.#fail(error)
    }
  }

  interrupt(why: Exclude<Interruption, 'connection'>): void {
    // Without a controller, the request still waits for its connection and has sent nothing.
    this.#end(why, { maybeSent: this.#controller !== undefined, code: '' })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isTold) controller.abort(new Error('ended before it began'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    this.#reply = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) this.#end('too-large')
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#reply === undefined) return
    try {
      const encoded = Buffer.concat(this.#chunks, this.#bytes)
      const body = decodeBody(encoded, this.#reply.headers, this.#maxBytes)
      if (body === undefined) this.#end('too-large')
      else this.#settle({ kind: 'answered', ...this.#reply, body })
    } catch (error) {
      this.#fail(error)
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(error: unknown): void {
    const notSent = notSentCode(error)
    this.#end('connection', { maybeSent: notSent === undefined, code: notSent ?? codeOf(error) })
  }

  #end(
    why: Interruption | 'too-large',
    withoutReply: Pick<NoAnswer, 'maybeSent' | 'code'> = { maybeSent: true, code: '' },
  ): void {
    if (this.#isTold) return
    if (this.#reply !== undefined) this.#settle({ kind: 'cut-short', ...this.#reply, why })
    else if (why !== 'too-large') this.#settle({ kind: 'no-answer', why, ...withoutReply })
    this.#controller?.abort(new Error(why))
  }

  #settle(result: CallResult): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#tell(result)
  }
}

/** Returns only the error's code, because its message may quote the URL and with it the key. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,63}$/.test(code) ? code : ''
}

/** The encodings that {@link decodeBody} reads, for the `Accept-Encoding` header. */
export const acceptedEncoding = 'gzip'

/**
 * @returns a reply's body as text; undefined if the decompressed body is longer than `maxBytes`
 * @throws if the body is not in the encoding that the reply declares
 */
export function decodeBody(
  encoded: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return encoded.toString()
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new Error('an encoding not asked for')
  try {
    return gunzipSync(encoded, { maxOutputLength: maxBytes }).toString()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Error codes of failures that happen before the first byte of a request can leave. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  // The TLS handshake failed, or the certificate is not trusted.
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_REJECTED',
  'CERT_UNTRUSTED',
  'CERT_CHAIN_TOO_LONG',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'HOSTNAME_MISMATCH',
])

/**
 * @returns the error code of a request that certainly sent nothing; undefined if it may have sent something. Resets,
 * closed sockets and unparsable replies occur after sending began.
 */
export function notSentCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const syscall = 'syscall' in error ? error.syscall : undefined
  const isConnecting = syscall === 'connect' || syscall === 'getaddrinfo'
  if (beforeSending.has(code) || (isConnecting && code !== '')) return code
  // Node tried several addresses (IPv6 and IPv4), and every connection attempt failed.
  if (error instanceof AggregateError) return code
  return undefined
}
