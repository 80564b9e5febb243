import { capitalised } from '../text/capitalised.ts'

/** The signs that an enquiry may not come from a person. One strong sign is enough; weak signs count in pairs. */
const strengths = {
  /** A value is in the honeypot field, which people neither see nor reach. */
  'honeypot-filled': 'strong',
  /** The visitor filled in the form faster than anybody can read it: see `fastestPersonMs`. */
  'too-fast': 'strong',
  /**
   * The network sends unusually many requests, so each request must include a proof of work, and this request has none.
   */
  'no-proof': 'strong',
  /** The email address belongs to a public inbox, or expires within the hour. */
  'disposable-mail': 'weak',
  /** The network sends many requests, and this request includes a proof of work. */
  'busy-network': 'weak',
} as const satisfies Readonly<Record<string, 'strong' | 'weak'>>

export type Signal = keyof typeof strengths

export const signals = Object.keys(strengths) as readonly Signal[]

/** A strong signal is enough by itself. */
export const isStrong = (signal: Signal): boolean => strengths[signal] === 'strong'

/** A suspicious enquiry is stored like any other, but waits for the operator instead of being delivered. */
export function isSuspicious(found: readonly Signal[]): boolean {
  return found.length > 1 || found.some(isStrong)
}

const words: Readonly<Record<Signal, string>> = {
  'honeypot-filled': 'a field was filled that people do not see',
  'too-fast': 'the whole form was filled in less than two seconds',
  'no-proof': 'its network was sending many requests, and this one had no proof of work',
  'disposable-mail': 'the email address is a disposable one',
  'busy-network': 'its network was sending many requests; this one had a proof of work',
}

const brief: Readonly<Record<Signal, string>> = {
  'honeypot-filled': 'trap field filled',
  'too-fast': 'filled in under 2 s',
  'no-proof': 'no proof of work',
  'disposable-mail': 'disposable email',
  'busy-network': 'busy network',
}

/** Describes a signal to an operator; a signal that only a later release knows is shown by its name. */
export const describeSignal = (signal: Signal): string => words[signal] ?? signal

/** Describes a signal in at most three words, for a line of a list. */
export const shortSignalLabel = (signal: Signal): string => brief[signal] ?? signal

/** In milliseconds. Even with autofill and practice, the form's thirteen answers take ten times as long. */
export const fastestPersonMs = 2000

/** The signals that a form submission shows. An absent signal is unknown and never counts against a visitor. */
export interface AbuseEvidence {
  /** The content of the honeypot field, which people do not see. */
  readonly honeypot?: string | undefined
  /** The time from opening the page until sending the form, in milliseconds. */
  readonly filledInMs?: number | undefined
  /** `busy`: the network sends so much that each request must include a proof of work. */
  readonly network?: 'quiet' | 'busy and proven' | 'busy' | undefined
  readonly isMailDisposable?: boolean | undefined
}

export function findSignals({
  honeypot,
  filledInMs,
  network,
  isMailDisposable,
}: AbuseEvidence): Signal[] {
  const found: Signal[] = []
  if (honeypot?.trim()) found.push('honeypot-filled')
  // A clock that was set back gives a negative time, which proves nothing.
  if (filledInMs !== undefined && filledInMs >= 0 && filledInMs < fastestPersonMs) {
    found.push('too-fast')
  }
  if (network === 'busy') found.push('no-proof')
  if (network === 'busy and proven') found.push('busy-network')
  if (isMailDisposable) found.push('disposable-mail')
  return found
}

export interface KnownOfLead {
  readonly signals: readonly Signal[]
  /** Whether the address was verified; undefined if the stored lead cannot be read. */
  readonly isAddressVerified: boolean | undefined
  /** Other leads with the same email address or phone number. */
  readonly others: OtherLeads
}

export interface OtherLeads {
  readonly delivered: number
  readonly quarantined: number
  readonly rest: number
  /** Whether the counts include all leads. */
  readonly isAll: boolean
}

/** Reasons in words, the strongest first. */
export interface WeighedEvidence {
  readonly against: readonly string[]
  readonly for: readonly string[]
}

/** Signs that were found count against the lead; signs that were checked and not found count in its favor. */
export function weighEvidence(known: KnownOfLead): WeighedEvidence {
  const { signals, isAddressVerified, others } = known
  const isAbsent = (signal: Signal) => !signals.includes(signal)
  const strongestFirst = [...signals].sort(
    (one, other) => Number(isStrong(other)) - Number(isStrong(one)),
  )
  return {
    against: [
      ...strongestFirst.map(
        (signal) =>
          `${capitalised(describeSignal(signal))}: ${
            isStrong(signal) ? 'enough by itself.' : 'honest people have that, too.'
          }`,
      ),
      ...(others.quarantined > 0
        ? [`${sameContact(others.quarantined, others)} in quarantine.`]
        : []),
      ...(isAddressVerified === false ? ['Its address was not verified.'] : []),
    ],
    for: [
      ...(others.delivered > 0
        ? [`${sameContact(others.delivered, others, 'was', 'were')} taken before.`]
        : []),
      ...(isAddressVerified ? ['Its address was verified, as its form says.'] : []),
      ...(isAbsent('disposable-mail') ? ['The email address is not a disposable one.'] : []),
      ...(isAbsent('no-proof') && isAbsent('busy-network')
        ? ['Its network was not sending many.']
        : []),
      ...(isAbsent('honeypot-filled')
        ? ['Nothing stood in the field that people do not see.']
        : []),
    ],
  }
}

function sameContact(
  count: number,
  { isAll }: OtherLeads,
  one: 'is' | 'was' = 'is',
  many: 'are' | 'were' = 'are',
): string {
  const leads = `${isAll ? '' : 'At least '}${count} other ${count === 1 ? 'lead' : 'leads'}`
  return `${leads} with the same email or phone ${count === 1 ? one : many}`
}
