/** The signals that a bot sent an enquiry. One strong signal or two weak signals make the enquiry suspicious. */
const signalDefinitions = {
  /** The honeypot field, which people neither see nor reach, has a value. */
  'honeypot-filled': { isStrong: true, label: 'a hidden field was filled in' },
  /** The visitor filled in the form faster than {@link minHumanFillMs}. */
  'too-fast': { isStrong: true, label: 'filled in within two seconds' },
  /** The request lacks the proof of work that the API requires from networks with unusually many requests. */
  'no-proof': { isStrong: true, label: 'busy network, no proof of work' },
  /** The email address belongs to a public inbox, or expires within the hour. */
  'disposable-mail': { isStrong: false, label: 'disposable email address' },
  /** The request comes from a network with many requests, but includes a proof of work. */
  'busy-network': { isStrong: false, label: 'busy network, with a proof of work' },
} as const

export type AbuseSignal = keyof typeof signalDefinitions

export const abuseSignals = Object.keys(signalDefinitions) as readonly AbuseSignal[]

/** A suspicious enquiry is stored like any other, but waits for the operator instead of being delivered. */
export function isSuspicious(found: readonly AbuseSignal[]): boolean {
  return found.length > 1 || found.some((signal) => signalDefinitions[signal].isStrong)
}

/** Describes a signal to an operator. A later release's signal is described by its name. */
export const describeSignal = (signal: AbuseSignal): string =>
  signalDefinitions[signal]?.label ?? signal

/** The least plausible time to fill in the form, in milliseconds: people with autofill take ten times as long. */
export const minHumanFillMs = 2000

/** Evidence that may reveal a bot. Absent evidence never counts against a visitor. */
export interface AbuseEvidence {
  readonly honeypot?: string | undefined
  /** The time from opening the page until sending the form, in milliseconds. */
  readonly filledInMs?: number | undefined
  /** `busy`: the network sends so much that each request must include a proof of work. */
  readonly network?: 'quiet' | 'busy and proven' | 'busy' | undefined
  readonly isMailDisposable?: boolean | undefined
}

export function findSignals(evidence: AbuseEvidence): AbuseSignal[] {
  const { honeypot, filledInMs, network, isMailDisposable } = evidence
  const found: AbuseSignal[] = []
  if (honeypot?.trim()) found.push('honeypot-filled')
  // A clock that was set back gives a negative time, which proves nothing.
  if (filledInMs !== undefined && filledInMs >= 0 && filledInMs < minHumanFillMs) {
    found.push('too-fast')
  }
  if (network === 'busy') found.push('no-proof')
  if (network === 'busy and proven') found.push('busy-network')
  if (isMailDisposable) found.push('disposable-mail')
  return found
}

/** Counts of other leads with the same email address or phone number. */
export interface RelatedLeadCounts {
  readonly delivered: number
  readonly quarantined: number
  /** False if counting stopped at a limit. */
  readonly isAll: boolean
}
