/**
 * The signs that a bot sent an enquiry, or that it may not be delivered without an operator's decision. An enquiry with
 * one strong signal or with two weak signals is suspicious.
 */
const signalDefinitions = {
  /** The honeypot field has a value, although people neither see nor reach the field. */
  'honeypot-filled': { isStrong: true, label: 'a hidden field was filled in' },
  /** The visitor filled in the form faster than {@link minHumanFillMs}. */
  'too-fast': { isStrong: true, label: 'filled in within two seconds' },
  /** The request lacks the proof of work that is required from networks with unusually many requests. */
  'no-proof': { isStrong: true, label: 'busy network, no proof of work' },
  /** The email address belongs to a service whose inboxes are public or expire. */
  'disposable-mail': { isStrong: false, label: 'disposable email address' },
  /** The request includes the proof of work that is required from networks with unusually many requests. */
  'busy-network': { isStrong: false, label: 'busy network, with a proof of work' },
  /** An operator has stopped the affiliate whose link the visitor followed. The affiliate isn't paid for the lead. */
  'affiliate-stopped': { isStrong: true, label: 'affiliate stopped' },
  /** The person is on the do-not-contact list. */
  'do-not-contact': { isStrong: true, label: 'asked not to be contacted' },
} as const

export type AbuseSignal = keyof typeof signalDefinitions

export const abuseSignals = Object.keys(signalDefinitions) as readonly AbuseSignal[]

/** Returns whether the lead goes to quarantine, where it is stored but not sent until an operator releases it. */
export function isSuspicious(found: readonly AbuseSignal[]): boolean {
  return found.length > 1 || found.some((signal) => signalDefinitions[signal].isStrong)
}

/** Hides a signal that says something about the person from operators who may not reveal a lead. */
export const listVisibleSignals = (
  signals: readonly AbuseSignal[],
  mayReveal: boolean,
): readonly AbuseSignal[] =>
  mayReveal ? signals : signals.filter((signal) => signal !== 'do-not-contact')

/** Describes a signal to an operator. A signal from a newer version of the software is described by its name. */
export const describeSignal = (signal: AbuseSignal): string =>
  signalDefinitions[signal]?.label ?? signal

/** The shortest plausible time to fill in the form, in milliseconds. People with autofill need ten times as long. */
export const minHumanFillMs = 2000

/** Evidence about whether a bot sent the enquiry. Missing evidence never counts against a visitor. */
export interface AbuseEvidence {
  readonly honeypot?: string | undefined
  /** The milliseconds between opening the page, or without JavaScript its first step's arrival, and sending the form. */
  readonly filledInMs?: number | undefined
  /** `busy`: the network has to include a proof of work in each request, and this request has none. */
  readonly network?: 'quiet' | 'busy and proven' | 'busy' | undefined
  readonly isMailDisposable?: boolean | undefined
}

export function findSignals(evidence: AbuseEvidence): AbuseSignal[] {
  const { honeypot, filledInMs, network, isMailDisposable } = evidence
  const found: AbuseSignal[] = []
  if (honeypot?.trim()) found.push('honeypot-filled')
  // If somebody has set the clock back, the time is negative and proves nothing.
  if (filledInMs !== undefined && filledInMs >= 0 && filledInMs < minHumanFillMs) {
    found.push('too-fast')
  }
  if (network === 'busy') found.push('no-proof')
  if (network === 'busy and proven') found.push('busy-network')
  if (isMailDisposable) found.push('disposable-mail')
  return found
}

/** How many other leads have the same email address or phone number. */
export interface RelatedLeadCounts {
  readonly delivered: number
  readonly quarantined: number
  /** False if the store stopped counting at a limit. */
  readonly isAll: boolean
}
