import * as v from 'valibot'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { day } from '#domain/durations.ts'
import type { DistributorLead } from '#domain/lead/distributor-lead.ts'
import { type PlainLine, toPlainLine } from '#domain/text/plain-line.ts'
import { type CallResult, parseJson, sendRequest } from '#server/platform/call/http-call.ts'

interface DistributorSettings {
  /** The URL of the distributor's incoming-leads endpoint. */
  readonly url: string
  readonly encoding: LeadEncoding
  /** The time limit for the whole call, in milliseconds. */
  readonly timeoutMs: number
  /** Returns the time in epoch milliseconds, to compare with the date in a Retry-After header. */
  readonly clock?: () => number
}

/** The client of the lead-distribution service that receives our leads. */
export type DistributorClient = ReturnType<typeof makeDistributorClient>

export function makeDistributorClient(settings: DistributorSettings) {
  const { url, encoding, timeoutMs, clock = Date.now } = settings
  return {
    /** Sends a lead. The promise never rejects. @param idempotencyKey the same key for every attempt of a delivery */
    send: async (
      lead: DistributorLead,
      idempotencyKey: string,
      signal: AbortSignal,
    ): Promise<SendResult> => {
      const { contentType, body } = encodeLead(lead, encoding)
      const result = await sendRequest({
        method: 'POST',
        url,
        headers: {
          'content-type': contentType,
          accept: 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body,
        timeoutMs,
        signal,
      })
      return classifyCallResult(result, clock())
    },
  }
}

export type LeadEncoding = 'json' | 'form'

/**
 * Encodes a lead as the body of a request. `json` sends the specification's object unchanged. `form` names fields as
 * the distributor's public clients do, such as `lead[firstname]` in a group and `campaign_code` elsewhere.
 */
export function encodeLead(lead: DistributorLead, encoding: LeadEncoding) {
  if (encoding === 'json') return { contentType: 'application/json', body: JSON.stringify(lead) }
  const form = new URLSearchParams()
  for (const [key, value] of Object.entries(lead)) {
    const isGroup = typeof value === 'object'
    const fields = isGroup ? Object.entries(value) : [[key, value] as const]
    for (const [name, text] of fields) {
      // Undefined values are left out, as in JSON.
      if (text !== undefined) form.append(isGroup ? `${key}[${name}]` : name, `${text}`)
    }
  }
  return { contentType: 'application/x-www-form-urlencoded', body: form.toString() }
}

export interface SendResult {
  readonly outcome: AttemptOutcome
  /** The distributor's response, which logs and metrics leave out because it may quote the lead's personal data. */
  readonly response?: PlainLine | undefined
}

/**
 * Classifies the result of a call as a named outcome, with the distributor's response.
 * @param now epoch milliseconds, for a Retry-After header with a date
 */
export function classifyCallResult(result: CallResult, now: number): SendResult {
  if (result.kind === 'no-answer') return { outcome: classifyUnansweredCall(result) }
  const { status: httpStatus, headers } = result
  // Only the body says whether the distributor accepted the lead, so without a complete body the result is unknown.
  if (httpStatus === 200)
    return result.kind === 'answered' ? classifyOkReply(result) : classifyIncompleteReply(result)
  // A status other than 200 decides the outcome alone, so an incomplete body does not matter.
  const response = result.kind === 'answered' ? shortenResponse(result.body) : undefined
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  return { outcome: classifyStatus(httpStatus, retryAfterMs), response }
}

export function classifyUnansweredCall({
  why,
  maybeSent,
  code,
}: Extract<CallResult, { kind: 'no-answer' }>): AttemptOutcome {
  if (maybeSent) return { name: 'unknown', reason: toUnknownReason(why), code: code || undefined }
  return why === 'stopped'
    ? { name: 'not-made', reason: 'stopped' }
    : { name: 'unreachable', reason: 'no-connection', code: code || undefined }
}

const toUnknownReason = (why: 'timeout' | 'stopped' | 'connection') =>
  why === 'connection' ? 'connection-lost' : why

function classifyStatus(httpStatus: number, retryAfterMs: number | undefined): AttemptOutcome {
  switch (httpStatus) {
    case 408:
    case 429:
    case 503:
      return { name: 'busy', httpStatus, retryAfterMs }
    case 401:
    case 403:
    case 404:
      return { name: 'refused', httpStatus }
    default:
      return httpStatus >= 500
        ? { name: 'broken', httpStatus, reason: 'server-error', retryAfterMs }
        : { name: 'broken', httpStatus, reason: 'unknown-status' }
  }
}

function classifyIncompleteReply({
  why,
  status: httpStatus,
}: Extract<CallResult, { kind: 'cut-short' }>): SendResult {
  return why === 'too-large'
    ? { outcome: { name: 'broken', httpStatus, reason: 'reply-too-large' } }
    : { outcome: { name: 'unknown', httpStatus, reason: toUnknownReason(why) } }
}

function classifyOkReply({
  status: httpStatus,
  body,
}: Extract<CallResult, { kind: 'answered' }>): SendResult {
  const reply = parseReply(body)
  if (reply === undefined) {
    const outcome = { name: 'broken', httpStatus, reason: 'unknown-reply' } as const
    return { outcome, response: shortenResponse(body) }
  }
  const { status, reasons } = reply
  if (status === 'success') return { outcome: { name: 'delivered', httpStatus } }
  // Public sources quote reasons such as "Reached the monthly offer cap for program …".
  const isCap = reasons.some((reason) => /\breached\b.{0,40}\bcap\b/i.test(reason))
  return {
    outcome: { name: 'rejected', httpStatus, cause: isCap ? 'cap' : undefined },
    response: shortenResponse(reasons.join('; ')),
  }
}

const reasonSchema = v.union([v.string(), v.array(v.string())])

/**
 * The schema of the distributor's reply. The distributor publishes no documentation, so the schema accepts the replies
 * that the distributor's public clients have received. A reason of an unknown shape is ignored.
 */
const replySchema = v.object({
  // Case is ignored: if "Success" did not count as success, an accepted lead would be sent up to nine times.
  status: v.pipe(v.string(), v.toLowerCase(), v.picklist(['success', 'failure'])),
  reason: v.fallback(
    v.optional(v.union([reasonSchema, v.record(v.string(), reasonSchema)])),
    undefined,
  ),
  reasons: v.fallback(v.optional(reasonSchema), undefined),
  errors: v.fallback(v.optional(reasonSchema), undefined),
  reason_code: v.fallback(v.optional(v.union([v.string(), v.number()])), undefined),
})

/** Parses the body of a response with status 200; undefined if the body does not match the schema. */
export function parseReply(body: string) {
  const parsed = v.safeParse(replySchema, parseJson(body))
  return parsed.success
    ? { status: parsed.output.status, reasons: listReasons(parsed.output) }
    : undefined
}

function listReasons(reply: v.InferOutput<typeof replySchema>): string[] {
  const { reason = [], reasons = [], errors = [], reason_code = [] } = reply
  const ofFields =
    typeof reason === 'string' || Array.isArray(reason)
      ? reason
      : Object.entries(reason).flatMap(([field, texts]) =>
          // The key `base` concerns the whole lead.
          [texts].flat().map((text) => (field === 'base' ? text : `${field}: ${text}`)),
        )
  const all = [ofFields, reasons, errors, reason_code].flat().map((text) => `${text}`.trim())
  return [...new Set(all)].filter((text) => text !== '')
}

/** The longest wait that the distributor can ask for: even a monthly cap ends sooner. */
const maxWaitMs = 31 * day

/**
 * Reads a Retry-After header, which is a number of seconds or an HTTP date (RFC 9110, 10.2.3).
 * @returns milliseconds from `now`, at most 31 days; undefined if the header is missing or invalid
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, maxWaitMs)
  // Date.parse alone would read "1.5" as a day in 2001.
  if (!/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), maxWaitMs)
}

/** The most characters of a response to store; every known reason is shorter. */
const maxCharacters = 1000

/**
 * Shortens the distributor's response to one plain line of at most 1,000 UTF-16 units; undefined if the response is
 * empty. The response may quote the lead, so it is personal data: only a revealed lead shows it, and an erasure removes
 * it.
 */
export function shortenResponse(text: string): PlainLine | undefined {
  return toPlainLine(text.slice(0, maxCharacters)) || undefined
}
