import * as v from 'valibot'
import type { AttemptOutcome, RejectionCause } from '#domain/delivery/outcome.ts'
import { type PlainLine, plainLine } from '#domain/text/plain-line.ts'
import { type CallResult, parseJson, type ReplyHeaders } from '#server/platform/call/call.ts'

/** The result of one call to the distributor. */
export interface SendResult {
  readonly outcome: AttemptOutcome
  /**
   * The distributor's response. It may quote the lead, so it is stored beside it and kept out of
   * logs and metrics.
   */
  readonly said?: PlainLine | undefined
}

/**
 * The one place where what happened on the wire becomes a named outcome, with the words that came beside it.
 * @param now epoch milliseconds, for a Retry-After that names a date
 */
export function outcomeOf(result: CallResult, now: number): SendResult {
  if (result.kind === 'no-answer') return { outcome: withoutAnswer(result) }
  const { status: httpStatus, headers } = result
  const outcomeOfBody = accepting[httpStatus]
  if (outcomeOfBody)
    return result.kind === 'answered' ? outcomeOfBody(result) : classifyInterruption(result)
  // The status alone decides, so a body that broke off does not matter.
  const said = result.kind === 'answered' ? plainResponse(result.body) : undefined
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

interface SentRequest {
  readonly retryAfterMs?: number
}

function outcomeOfStatus(httpStatus: number, asked: SentRequest): AttemptOutcome {
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

function retryAfter(headers: ReplyHeaders, now: number): SentRequest {
  const asked = retryAfterMs(headers['retry-after'], now)
  return asked === undefined ? {} : { retryAfterMs: asked }
}

/**
 * Statuses that may mean acceptance: only the body tells, so without a complete body the result is
 * unknown. A status that the distributor comes to accept with is added here, with the reader of
 * its bodies.
 */
export const accepting: Readonly<Record<number, (reply: WholeReply) => SendResult>> = {
  200: outcomeOf200,
}

type WholeReply = Extract<CallResult, { kind: 'answered' }>

/** The lead may have been taken, and what was to say so broke off. */
function classifyInterruption({
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
      outcome: { name: 'rejected', httpStatus, ...rejectionCauseOf(reasons) },
      said: plainResponse(reasons.join('; ')),
    }
  }
  return {
    outcome: { name: 'broken', httpStatus, reason: 'unknown-reply' },
    said: plainResponse(body),
  }
}

/** "Reached the monthly offer cap for program …", as seen in public: it is reset with the month. */
function rejectionCauseOf(reasons: readonly string[]): { readonly cause?: RejectionCause } {
  return reasons.some((reason) => /\breached\b.{0,40}\bcap\b/i.test(reason)) ? { cause: 'cap' } : {}
}

const reasonSchema = v.union([v.string(), v.array(v.string())])

/**
 * The distributor publishes no document; this is what its public clients have met. A reason that
 * fits none of the shapes is dropped, never the reply's status. The case of `status` is ignored,
 * as with the other third parties.
 */
const replySchema = v.object({
  // One that writes "Success" would be sent the same lead nine times.
  status: v.pipe(v.string(), v.toLowerCase(), v.picklist(['success', 'failure'])),
  reason: v.fallback(
    v.optional(v.union([reasonSchema, v.record(v.string(), reasonSchema)])),
    undefined,
  ),
  reasons: v.fallback(v.optional(reasonSchema), undefined),
  errors: v.fallback(v.optional(reasonSchema), undefined),
  reason_code: v.fallback(v.optional(v.union([v.string(), v.number()])), undefined),
})

type Reply = v.InferOutput<typeof replySchema>

export type DistributorReply =
  | { readonly status: 'success' }
  | { readonly status: 'failure'; readonly reasons: readonly string[] }

/** The body of an HTTP 200; undefined where it is not the contract's. */
export function readReply(body: string): DistributorReply | undefined {
  const parsed = v.safeParse(replySchema, parseJson(body))
  if (!parsed.success) return undefined
  if (parsed.output.status === 'success') return { status: 'success' }
  return { status: 'failure', reasons: reasonsOf(parsed.output) }
}

function reasonsOf({ reason, reasons, errors, reason_code }: Reply): string[] {
  const all = [
    ...fieldReasons(reason),
    ...list(reasons),
    ...list(errors),
    ...list(reason_code === undefined ? undefined : `${reason_code}`),
  ]
  return [...new Set(all.map((text) => text.trim()).filter((text) => text !== ''))]
}

/** `base` concerns the whole lead; any other key is the field that the words are about. */
function fieldReasons(reason: Reply['reason']): string[] {
  if (reason === undefined || typeof reason === 'string' || Array.isArray(reason)) {
    return list(reason)
  }
  return Object.entries(reason).flatMap(([field, texts]) =>
    list(texts).map((text) => (field === 'base' ? text : `${field}: ${text}`)),
  )
}

const list = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

/** Nobody asks for more than the month after which a cap ends, and a number without bound would not fit a time. */
const maxWaitMs = 31 * 24 * 60 * 60 * 1000

/**
 * A Retry-After header in milliseconds from `now`, at most 31 days: seconds or an HTTP date (RFC 9110, 10.2.3).
 * Undefined where it is missing or neither.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, maxWaitMs)
  // Date.parse alone would take "1.5" for a day in 2001.
  if (!/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), maxWaitMs)
}

/** Enough for every reason that was ever met; in characters. */
const maxCharacters = 1000

/**
 * The distributor's response, fit to be stored: one plain line of at most 1,000 characters;
 * undefined if it was empty. It may quote the lead in any spelling, so it is personal data as the
 * lead is: kept with the attempt, shown with the lead, erased with the person, and nowhere else.
 */
export function plainResponse(text: string): PlainLine | undefined {
  // The part that is cut off need not be scanned. A character takes two units at most; some of
  // these go.
  const characters = [...plainLine(text.slice(0, 4 * maxCharacters))]
  if (characters.length === 0) return undefined
  if (characters.length <= maxCharacters) return characters.join('') as PlainLine
  return `${characters.slice(0, maxCharacters - 1).join('')}…` as PlainLine
}
