import { setTimeout as pause } from 'node:timers/promises'
import { type Call, type CallResult, call } from './call.ts'

/** Why a lookup service could not answer. Always ours or theirs, never the visitor's fault (reading 11). */
export interface Unavailable {
  readonly kind: 'unavailable'
  readonly reason: UnavailableReason
}

export const unavailableReasons = [
  /** No complete reply came in time. */
  'timeout',
  /** No connection, or one that broke off. */
  'network',
  /** It says itself that it cannot answer just now. */
  'down',
  /** The account's calls are used up, for the minute or for the day. */
  'quota',
  /** Key, billing or the account: no call is answered until the operator has acted. */
  'refused-key',
  /** It does not understand what we ask: our address of it, or our code, is wrong. */
  'bad-request',
  /** It answered something that is not its contract. */
  'broken',
] as const
export type UnavailableReason = (typeof unavailableReasons)[number]

export const lookupServices = ['geocoding', 'address-validation', 'ip-lookup'] as const
export type LookupService = (typeof lookupServices)[number]

export const lookupOutcomes = ['answered', ...unavailableReasons] as const
/** Counted for each call, a second one too. */
export type LookupOutcome = (typeof lookupOutcomes)[number]

export interface LookupSettings {
  /** Milliseconds for all of it, a second call included: a visitor or a delivery waits. */
  readonly timeoutMs: number
  readonly onCall?: (outcome: LookupOutcome) => void
}

/**
 * Failures that may pass in a moment. Quota and a refused key it does not, and a timeout has used
 * up the time.
 */
const transientReasons: ReadonlySet<UnavailableReason> = new Set(['network', 'down'])

/** Before the second call, in milliseconds: a restarting server is back, and nobody notices the wait. */
const pauseMs = 250

/** With less time than this a second call would only be given up, in milliseconds. */
const minTimeoutMs = 500

/**
 * Asks a service that may safely be asked twice, and does so once where the first call met a passing fault.
 * @param read makes a named outcome of what came
 */
export async function lookUp<Answer extends { readonly kind: 'answered' }>(
  request: Omit<Call, 'timeoutMs' | 'signal'>,
  read: (result: CallResult) => Answer | Unavailable,
  { timeoutMs, onCall }: LookupSettings,
): Promise<Answer | Unavailable> {
  const endsAt = performance.now() + timeoutMs
  const ask = async () => {
    const found = read(await call({ ...request, timeoutMs: endsAt - performance.now() }))
    onCall?.(found.kind === 'answered' ? 'answered' : found.reason)
    return found
  }
  const first = await ask()
  const isPassing = first.kind === 'unavailable' && transientReasons.has(first.reason)
  if (!isPassing || endsAt - performance.now() < pauseMs + minTimeoutMs) return first
  await pause(pauseMs)
  return ask()
}

export const unavailable = (reason: UnavailableReason): Unavailable => ({
  kind: 'unavailable',
  reason,
})

/**
 * Google's machine-readable reasons where they say more than the status: a bad key comes with 400, the status of a bad
 * request. https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto
 */
const reasonNames: Readonly<Record<string, UnavailableReason>> = {
  API_KEY_INVALID: 'refused-key',
  API_KEY_SERVICE_BLOCKED: 'refused-key',
  API_KEY_HTTP_REFERRER_BLOCKED: 'refused-key',
  API_KEY_IP_ADDRESS_BLOCKED: 'refused-key',
  SERVICE_DISABLED: 'refused-key',
  BILLING_DISABLED: 'refused-key',
  CONSUMER_INVALID: 'refused-key',
  CONSUMER_SUSPENDED: 'refused-key',
  RATE_LIMIT_EXCEEDED: 'quota',
  RESOURCE_QUOTA_EXCEEDED: 'quota',
}

/**
 * Names the fault of a call that did not end in a whole HTTP 200.
 * @param errorReasons Google's, such as API_KEY_INVALID
 */
export function whyUnavailable(
  result: CallResult,
  errorReasons: readonly string[] = [],
): Unavailable {
  if (result.kind === 'no-answer') {
    return unavailable(result.why === 'timeout' ? 'timeout' : 'network')
  }
  const named = errorReasons.map((reason) => reasonNames[reason]).find((name) => name)
  if (named) return unavailable(named)
  const { status } = result
  if (status === 429) return unavailable('quota')
  if (status === 401 || status === 403) return unavailable('refused-key')
  if (status >= 500) return unavailable('down')
  if (status >= 400) return unavailable('bad-request')
  if (result.kind === 'cut-short' && result.why === 'timeout') return unavailable('timeout')
  if (result.kind === 'cut-short' && result.why === 'connection') return unavailable('network')
  return unavailable('broken')
}
