import type { CallResult } from './call.ts'

/** Why a lookup service could not answer. Always ours or theirs, never the visitor's fault (ruling 11). */
export interface Unavailable {
  readonly kind: 'unavailable'
  readonly reason: UnavailableReason
}

export type UnavailableReason = 'timeout' | 'network' | 'refused-key' | 'quota' | 'broken'

export const unavailable = (reason: UnavailableReason): Unavailable => ({
  kind: 'unavailable',
  reason,
})

/**
 * Names the fault of a call that did not end in a whole HTTP 200.
 * @param errorReasons Google's machine-readable reasons, such as API_KEY_INVALID
 */
export function faultOf(
  result: Exclude<CallResult, { kind: 'answered'; status: 200 }>,
  errorReasons: readonly string[] = [],
): Unavailable {
  if (result.kind === 'no-answer') {
    return unavailable(result.why === 'timeout' ? 'timeout' : 'network')
  }
  if (result.status === 429) return unavailable('quota')
  if (result.status === 401 || result.status === 403) return unavailable('refused-key')
  // Google refuses a bad key with 400, the status of a bad request.
  if (errorReasons.includes('API_KEY_INVALID')) return unavailable('refused-key')
  if (result.kind === 'cut-short' && result.why === 'timeout') return unavailable('timeout')
  if (result.kind === 'cut-short' && result.why === 'connection') return unavailable('network')
  return unavailable('broken')
}
