import type { RejectionCause } from '#domain/delivery/attempt-reason.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { SendResult } from '#server/use-cases/send-result.ts'
import type { CallResult, ReplyHeaders } from '../call-result.ts'
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
  if (httpStatus === 200) return outcomeOf200(result)
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

function outcomeOf200(result: Exclude<CallResult, { kind: 'no-answer' }>): SendResult {
  const httpStatus = result.status
  if (result.kind === 'cut-short') {
    return result.why === 'too-large'
      ? { outcome: { name: 'broken', httpStatus, reason: 'reply-too-large' } }
      : { outcome: { name: 'unknown', httpStatus, reason: interruptions[result.why] } }
  }
  const reply = readReply(result.body)
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
    said: saidWords(result.body),
  }
}

/** "Reached the monthly offer cap for program …", as seen in public: it is reset with the month. */
function causeOf(reasons: readonly string[]): { readonly cause?: RejectionCause } {
  return reasons.some((reason) => /\breached\b.{0,40}\bcap\b/i.test(reason)) ? { cause: 'cap' } : {}
}
