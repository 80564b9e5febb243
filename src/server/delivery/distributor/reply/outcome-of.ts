import type { RejectionCause } from '#domain/delivery/attempt-reason.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { CallResult, ReplyHeaders } from '#server/platform/call/call-result.ts'
import type { SendResult } from '../../send-result.ts'
import { readReply } from './reply.ts'
import { retryAfterMs } from './retry-after.ts'
import { saidWords } from './said-words.ts'

/**
 * The one place where what happened on the wire becomes a named outcome, with the words that came beside it.
 * @param now epoch milliseconds, for a Retry-After that names a date
 */
export function outcomeOf(result: CallResult, now: number): SendResult {
  if (result.kind === 'no-answer') return { outcome: withoutAnswer(result) }
  const { status: httpStatus, headers } = result
  const outcomeOfBody = accepting[httpStatus]
  if (outcomeOfBody) return result.kind === 'answered' ? outcomeOfBody(result) : unheard(result)
  // The status alone decides, so a body that broke off does not matter.
  const said = result.kind === 'answered' ? saidWords(result.body) : undefined
  return { outcome: outcomeOfStatus(httpStatus, retryAfter(headers, now)), said }
}

function withoutAnswer({
  why,
  maybeSent,
  code,
}: Extract<CallResult, { kind: 'no-answer' }>): AttemptOutcome {
  const named = code === '' ? {} : { code }
  if (!maybeSent) {
    return why === 'stopped'
      ? { name: 'not-made', reason: 'stopped' }
      : { name: 'unreachable', reason: 'no-connection', ...named }
  }
  return { name: 'unknown', reason: interruptions[why], ...named }
}

const interruptions = {
  timeout: 'timeout',
  stopped: 'stopped',
  connection: 'connection-lost',
} as const

interface Asked {
  readonly retryAfterMs?: number
}

function outcomeOfStatus(httpStatus: number, asked: Asked): AttemptOutcome {
  switch (httpStatus) {
    case 408:
    case 429:
    case 503:
      return { name: 'busy', httpStatus, ...asked }
    case 401:
    case 403:
    case 404:
      return { name: 'refused', httpStatus }
    default:
      return httpStatus >= 500
        ? { name: 'broken', httpStatus, reason: 'server-error', ...asked }
        : { name: 'broken', httpStatus, reason: 'unknown-status' }
  }
}

function retryAfter(headers: ReplyHeaders, now: number): Asked {
  const asked = retryAfterMs(headers['retry-after'], now)
  return asked === undefined ? {} : { retryAfterMs: asked }
}

/**
 * The statuses with which the lead may have been taken: the body says whether it was, so that without a whole body nobody
 * knows. A status that the distributor comes to accept with is added here, with the reader of its bodies.
 */
export const accepting: Readonly<Record<number, (reply: WholeReply) => SendResult>> = {
  200: outcomeOf200,
}

type WholeReply = Extract<CallResult, { kind: 'answered' }>

/** The lead may have been taken, and what was to say so broke off. */
function unheard({
  why,
  status: httpStatus,
}: Extract<CallResult, { kind: 'cut-short' }>): SendResult {
  return why === 'too-large'
    ? { outcome: { name: 'broken', httpStatus, reason: 'reply-too-large' } }
    : { outcome: { name: 'unknown', httpStatus, reason: interruptions[why] } }
}

function outcomeOf200({ status: httpStatus, body }: WholeReply): SendResult {
  const reply = readReply(body)
  if (reply?.status === 'success') return { outcome: { name: 'delivered', httpStatus } }
  if (reply?.status === 'failure') {
    const { reasons } = reply
    return {
      outcome: { name: 'rejected', httpStatus, ...causeOf(reasons) },
      said: saidWords(reasons.join('; ')),
    }
  }
  return {
    outcome: { name: 'broken', httpStatus, reason: 'unknown-reply' },
    said: saidWords(body),
  }
}

/** "Reached the monthly offer cap for program …", as seen in public: it is reset with the month. */
function causeOf(reasons: readonly string[]): { readonly cause?: RejectionCause } {
  return reasons.some((reason) => /\breached\b.{0,40}\bcap\b/i.test(reason)) ? { cause: 'cap' } : {}
}
