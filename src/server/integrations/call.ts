import { notSentCode } from './not-sent-code.ts'
import { readLimited } from './read-limited.ts'

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

export type CallResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      readonly body: string
    }
  /** A status came, its body did not come whole. */
  | {
      readonly kind: 'cut-short'
      readonly status: number
      readonly headers: Headers
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

/** One HTTP call. Never rejects, and never follows a redirect: that would hand a lead or a key to another host. */
export async function call(request: Call): Promise<CallResult> {
  const { method, url, headers, body, timeoutMs, signal } = request
  if (signal?.aborted) return noAnswer('stopped', false)
  const ending = new AbortController()
  const interruption = (): Interruption =>
    ending.signal.aborted ? ending.signal.reason : 'connection'
  const timer = setTimeout(() => ending.abort('timeout'), timeoutMs)
  const onStop = () => ending.abort('stopped')
  signal?.addEventListener('abort', onStop, { once: true })
  try {
    const init: RequestInit = { method, redirect: 'manual', signal: ending.signal }
    if (headers) init.headers = { ...headers }
    if (body !== undefined) init.body = body
    const reply = await fetch(url, init)
    return await readReply(reply, interruption)
  } catch (error) {
    const why = interruption()
    if (why !== 'connection') return noAnswer(why, true)
    const code = notSentCode(error)
    return noAnswer(why, code === undefined, code ?? codeOf(error))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onStop)
  }
}

async function readReply(reply: Response, interruption: () => Interruption): Promise<CallResult> {
  const { status, headers } = reply
  try {
    const text = await readLimited(reply.body, maxReplyBytes)
    if (text === undefined) return { kind: 'cut-short', status, headers, why: 'too-large' }
    return { kind: 'answered', status, headers, body: text }
  } catch {
    return { kind: 'cut-short', status, headers, why: interruption() }
  }
}

const noAnswer = (why: Interruption, maybeSent: boolean, code = ''): CallResult => ({
  kind: 'no-answer',
  why,
  maybeSent,
  code,
})

/** The code alone: an error's message may quote the URL, and with it the key. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : ''
}
