import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { CallResult, ReplyHeaders } from '../call-result.ts'
import { readReply } from './reply.ts'
import { retryAfterMs } from './retry-after.ts'

/** A rejection with more reasons than this says nothing more. */
const maxReasons = 20

export interface Reading {
  /** Makes words of the distributor's fit to be stored. */
  readonly excerpt: (text: string) => string
  /** Epoch milliseconds. */
  readonly now: number
  readonly timeoutMs: number
}

/** The one place where what happened on the wire becomes a named outcome. */
export function outcomeOf(result: CallResult, reading: Reading): AttemptOutcome {
  if (result.kind === 'no-answer') {
    return result.maybeSent
      ? { name: 'unknown', detail: interruptionText(result, reading, 'no answer came') }
      : { name: 'unreachable', detail: notSentText(result) }
  }
  const { status: httpStatus, headers } = result
  if (httpStatus === 200) return outcomeOf200(result, reading)
  const asked = retryAfter(headers, reading)
  if (httpStatus === 408 || httpStatus === 429 || httpStatus === 503) {
    return { name: 'busy', httpStatus, ...asked }
  }
  // The status alone decides, so a body that broke off does not matter.
  const detail = `HTTP ${httpStatus}${quoted(result, reading)}`
  if (httpStatus === 401 || httpStatus === 403 || httpStatus === 404) {
    return { name: 'refused', httpStatus, detail }
  }
  return { name: 'broken', httpStatus, detail, ...(httpStatus >= 500 ? asked : {}) }
}

function retryAfter(headers: ReplyHeaders, { now }: Reading): { readonly retryAfterMs?: number } {
  const asked = retryAfterMs(headers['retry-after'], now)
  return asked === undefined ? {} : { retryAfterMs: asked }
}

function outcomeOf200(
  result: Exclude<CallResult, { kind: 'no-answer' }>,
  reading: Reading,
): AttemptOutcome {
  const httpStatus = result.status
  if (result.kind === 'cut-short') {
    if (result.why === 'too-large') {
      return { name: 'broken', httpStatus, detail: 'HTTP 200 with a reply over 64 KB' }
    }
    return { name: 'unknown', detail: interruptionText(result, reading, 'the reply broke off') }
  }
  const reply = readReply(result.body)
  if (reply?.status === 'success') return { name: 'delivered', httpStatus }
  if (reply?.status === 'failure') {
    return {
      name: 'rejected',
      httpStatus,
      reasons: reply.reasons.slice(0, maxReasons).map(reading.excerpt),
      ...(reply.reasons.some(isCap) ? { cause: 'cap' } : {}),
    }
  }
  return {
    name: 'broken',
    httpStatus,
    detail: `HTTP 200 without a known status${quoted(result, reading)}`,
  }
}

/** "Reached the monthly offer cap for program …", as seen in public: it is reset with the month. */
const isCap = (reason: string): boolean => /\breached\b.{0,40}\bcap\b/i.test(reason)

function quoted(result: CallResult, { excerpt }: Reading): string {
  if (result.kind !== 'answered') return ''
  const text = excerpt(result.body)
  return text === '' ? ', empty' : `: ${text}`
}

function interruptionText(
  { why, ...rest }: Exclude<CallResult, { kind: 'answered' }>,
  { timeoutMs }: Reading,
  what: string,
): string {
  if (why === 'timeout') return `${what} within ${timeoutMs} ms`
  if (why === 'stopped') return `${what} before this process stopped waiting`
  return 'code' in rest && rest.code !== ''
    ? `${what}: connection lost (${rest.code})`
    : `${what}: connection lost`
}

const notSentText = ({ why, code }: Extract<CallResult, { kind: 'no-answer' }>): string =>
  why === 'stopped' ? 'not sent: this process is stopping' : `not sent: no connection (${code})`
