/** Why no delivery goes out, or only a probe now and then. It holds for every worker on the store. */
export interface BreakerState {
  readonly pause: Pause | null
  readonly outage: Outage | null
}

export interface Pause {
  /** An operator's pause lets nothing through; a refusal's lets a probe through every five minutes. */
  readonly by: 'operator' | 'refusal'
  /** For the operator to read; without personal data. */
  readonly reason: string
  /** Epoch milliseconds. */
  readonly since: number
  /** Epoch milliseconds of the next probe; null where none is let through. */
  readonly probeAt: number | null
}

/** The distributor has failed many times in a row and not answered since. */
export interface Outage {
  /** When the first of those failed attempts began, in epoch milliseconds. */
  readonly since: number
  /** Epoch milliseconds of the next probe; while one is under way, when it counts as lost. */
  readonly probeAt: number
}

export const closedBreaker: BreakerState = { pause: null, outage: null }

/** What may be sent: everything, one probe at a time from a moment on (epoch milliseconds), or nothing. */
export type BreakerMode =
  | { readonly kind: 'closed' }
  | { readonly kind: 'half-open'; readonly at: number }
  | { readonly kind: 'open' }

export function mode({ pause, outage }: BreakerState): BreakerMode {
  const cause = pause ?? outage
  if (cause === null) return { kind: 'closed' }
  return cause.probeAt === null ? { kind: 'open' } : { kind: 'half-open', at: cause.probeAt }
}

/** Failures in a row, with no answer between them, that make an outage. */
export const failuresToOutage = 10

/** Waits before the first probes of an outage, in milliseconds; the last one stays. */
const probeWaits = [1000, 2000, 4000, 5000]

/**
 * How long an outage's next probe waits, in milliseconds.
 * @param failedProbes how many probes of this outage have failed
 */
export const probeWait = (failedProbes: number): number =>
  probeWaits[Math.min(failedProbes, probeWaits.length - 1)] ?? 0

/** A refusal is ended by a change of configuration, which takes an operator: seldom enough to bother nobody. */
export const refusalProbeWait = 5 * 60 * 1000
