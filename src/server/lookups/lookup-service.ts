import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import {
  type CallResult,
  type HttpCall,
  parseJson,
  sendRequest,
} from '#server/platform/call/http-call.ts'

/** The result of a lookup that the service did not answer. The visitor is never at fault (reading 11). */
export interface LookupFailure {
  readonly kind: 'unavailable'
  readonly reason: LookupFailureReason
}

export const lookupFailureReasons = [
  'timeout',
  /** The connection failed or broke off. */
  'network',
  'down',
  /** The account's calls for the minute or the day are used up. */
  'quota',
  /** The service refuses the key, the billing or the account. */
  'refused-key',
  /** The configured URL or our code is wrong. */
  'bad-request',
  /** The service's answer does not follow its documented contract. */
  'broken',
] as const
export type LookupFailureReason = (typeof lookupFailureReasons)[number]

export const lookupServices = ['geocoding', 'address-validation', 'ip-lookup'] as const
export type LookupService = (typeof lookupServices)[number]

export const lookupOutcomes = ['answered', ...lookupFailureReasons] as const
/** How one call ended. A retry counts as a call of its own. */
export type LookupOutcome = (typeof lookupOutcomes)[number]

export interface LookupSettings {
  /** The time limit of a lookup including its retry, in milliseconds: a visitor or a delivery waits for the lookup. */
  readonly timeoutMs: number
  readonly onCall?: (outcome: LookupOutcome) => void
}

const transientReasons: ReadonlySet<LookupFailureReason> = new Set(['network', 'down'])

const pauseMs = 250

/** The least time that a retry needs, in milliseconds. */
const minTimeoutMs = 500

/**
 * Calls a lookup service, and retries once after a failure that may pass. The request must be safe to repeat.
 * @param read turns the reply into a named outcome
 */
export async function callLookupService<Answer extends { readonly kind: 'answered' }>(
  request: Omit<HttpCall, 'timeoutMs' | 'signal'>,
  read: (result: CallResult) => Answer | LookupFailure,
  { timeoutMs, onCall }: LookupSettings,
): Promise<Answer | LookupFailure> {
  const endsAt = performance.now() + timeoutMs
  const ask = async () => {
    const found = read(await sendRequest({ ...request, timeoutMs: endsAt - performance.now() }))
    onCall?.(found.kind === 'answered' ? 'answered' : found.reason)
    return found
  }
  const first = await ask()
  const isPassing = first.kind === 'unavailable' && transientReasons.has(first.reason)
  if (!isPassing || endsAt - performance.now() < pauseMs + minTimeoutMs) return first
  await pause(pauseMs)
  return ask()
}

export const makeLookupFailure = (reason: LookupFailureReason): LookupFailure => ({
  kind: 'unavailable',
  reason,
})

/**
 * Google's error reasons say more than the HTTP status: Google answers a bad key with 400, like a bad request.
 * https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto
 */
const keyRefusals = /^(API_KEY_|BILLING_DISABLED|CONSUMER_|SERVICE_DISABLED)/
const quotaReasons = /^(RATE_LIMIT|RESOURCE_QUOTA)_EXCEEDED$/

/** @param errorReasons Google's error reasons, such as API_KEY_INVALID */
export const classifyFailure = (
  result: CallResult,
  errorReasons: readonly string[] = [],
): LookupFailure => makeLookupFailure(findFailureReason(result, errorReasons))

function findFailureReason(
  result: CallResult,
  errorReasons: readonly string[],
): LookupFailureReason {
  if (result.kind === 'no-answer') return result.why === 'timeout' ? 'timeout' : 'network'
  const { status } = result
  if (errorReasons.some((reason) => keyRefusals.test(reason))) return 'refused-key'
  if (status === 429 || errorReasons.some((reason) => quotaReasons.test(reason))) return 'quota'
  if (status === 401 || status === 403) return 'refused-key'
  if (status >= 500) return 'down'
  if (status >= 400) return 'bad-request'
  if (result.kind === 'cut-short' && result.why === 'timeout') return 'timeout'
  if (result.kind === 'cut-short' && result.why === 'connection') return 'network'
  return 'broken'
}

/** Returns the service's `IPv4`, which may be words like "Not found"; undefined if the service did not answer. */
export type IpLookup = (ip: string) => Promise<string | undefined>

/** Accepts an IP address, or words such as "IP Not found". A lead must not contain any other text. */
const ipReplySchema = v.object({
  IPv4: v.pipe(
    v.string(),
    v.check((text) => isIP(text) !== 0 || /not found/i.test(text)),
  ),
})

export interface IpLookupSettings extends LookupSettings {
  /** The service's URL, in which `{ip}` stands for the visitor's IP address; empty if there is no service. */
  readonly url: string
}

/** Makes a client that never rejects, because a failing IP lookup service must not stop a lead (reading 9). */
export function makeIpLookup({ url, ...settings }: IpLookupSettings): IpLookup {
  if (url === '') return async () => undefined
  return async (ip) => {
    const request = {
      method: 'GET',
      url: url.replaceAll('{ip}', encodeURIComponent(ip)),
      headers: { accept: 'application/json' },
    } as const
    const found = await callLookupService(request, parseIpReply, settings)
    return found.kind === 'answered' ? found.ipv4 : undefined
  }
}

function parseIpReply(result: CallResult) {
  if (result.kind !== 'answered' || result.status !== 200) return classifyFailure(result)
  const reply = v.safeParse(ipReplySchema, parseJson(result.body))
  return reply.success
    ? ({ kind: 'answered', ipv4: reply.output.IPv4 } as const)
    : makeLookupFailure('broken')
}
