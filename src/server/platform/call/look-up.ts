import { setTimeout as pause } from 'node:timers/promises'
import { type Call, call } from './call.ts'
import type { CallResult } from './call-result.ts'
import { type Unavailable, type UnavailableReason, unavailableReasons } from './unavailable.ts'

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

/** What a moment may mend. Quota and a refused key it does not, and a timeout has used up the time. */
const passing: ReadonlySet<UnavailableReason> = new Set(['network', 'down'])

/** Before the second call, in milliseconds: a restarting server is back, and nobody notices the wait. */
const pauseMs = 250

/** With less time than this a second call would only be given up, in milliseconds. */
const leastMs = 500

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
  const isPassing = first.kind === 'unavailable' && passing.has(first.reason)
  if (!isPassing || endsAt - performance.now() < pauseMs + leastMs) return first
  await pause(pauseMs)
  return ask()
}
