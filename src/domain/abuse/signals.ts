import { capitalised } from '../text/capitalised.ts'

/**
 * The signs that an enquiry may not come from a person. A strong one is enough by itself; a weak
 * one is found with honest people too, so that it takes two.
 */
const strengths = {
  /** The field that people neither see nor reach is filled in. */
  'honeypot-filled': 'strong',
  /** The whole form took less time than anybody needs to read it: see `fastestPersonMs`. */
  'too-fast': 'strong',
  /** Its network sends unusually many, so each must prove work, and this one could not. */
  'no-proof': 'strong',
  /** The address is one that anybody can read, or that ends within the hour. */
  'disposable-mail': 'weak',
  /** Its network sends many just then; a proof of work came with it. */
  'busy-network': 'weak',
} as const satisfies Readonly<Record<string, 'strong' | 'weak'>>

export type Signal = keyof typeof strengths

export const signals = Object.keys(strengths) as readonly Signal[]

/** Enough by itself. */
export const isStrong = (signal: Signal): boolean => strengths[signal] === 'strong'

/** A suspicious enquiry is stored like any other, and waits for the operator instead of being delivered. */
export function isSuspicious(found: readonly Signal[]): boolean {
  return found.length > 1 || found.some(isStrong)
}

const words: Readonly<Record<Signal, string>> = {
  'honeypot-filled': 'a field was filled that people do not see',
  'too-fast': 'the whole form was filled in less than two seconds',
  'no-proof': 'its network was sending many, and it brought no proof of work',
  'disposable-mail': 'the email address is a disposable one',
  'busy-network': 'its network was sending many; it brought its proof of work',
}

const brief: Readonly<Record<Signal, string>> = {
  'honeypot-filled': 'trap field filled',
  'too-fast': 'filled in under 2 s',
  'no-proof': 'no proof of work',
  'disposable-mail': 'disposable email',
  'busy-network': 'busy network',
}

/** For an operator who has to decide whether a person sent it. One that a later release has found has its name alone. */
export const describeSignal = (signal: Signal): string => words[signal] ?? signal

/** The same for a line of a list, where a word or three have to do. */
export const shortSignalLabel = (signal: Signal): string => brief[signal] ?? signal

/** Four steps with thirteen answers: autofill and a practised hand take ten times as long. In milliseconds. */
export const fastestPersonMs = 2000

/**
 * The signals that a form submission shows. An absent signal is unknown and never counts against
 * anybody.
 */
export interface AbuseEvidence {
  /** The content of the field that people do not see. */
  readonly honeypot?: string | undefined
  /** From opening the page until the form was sent, in milliseconds. */
  readonly filledInMs?: number | undefined
  /** `busy`: it sends so much that each request must prove work. */
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
  // A clock that was set back makes a negative time: it says nothing.
  if (filledInMs !== undefined && filledInMs >= 0 && filledInMs < fastestPersonMs) {
    found.push('too-fast')
  }
  if (network === 'busy') found.push('no-proof')
  if (network === 'busy and proven') found.push('busy-network')
  if (isMailDisposable) found.push('disposable-mail')
  return found
}

/** The facts of a lead in quarantine. */
export interface KnownOfLead {
  readonly signals: readonly Signal[]
  /** Undefined where what is stored cannot be read. */
  readonly isAddressVerified: boolean | undefined
  /** Other leads with the same email address or phone number. */
  readonly others: OtherLeads
}

export interface OtherLeads {
  readonly delivered: number
  readonly quarantined: number
  readonly rest: number
  /** False where there are more. */
  readonly isAll: boolean
}

/** In words, the weightiest first. */
export interface WeighedEvidence {
  readonly against: readonly string[]
  readonly for: readonly string[]
}

/**
 * Signs that were found are listed on one side; signs that were looked for and not found count in
 * the person's favor.
 */
export function weighEvidence(known: KnownOfLead): WeighedEvidence {
  const { signals, isAddressVerified, others } = known
  const lacks = (signal: Signal) => !signals.includes(signal)
  const inOrder = [...signals].sort((one, other) => Number(isStrong(other)) - Number(isStrong(one)))
  return {
    against: [
      ...inOrder.map(
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
      ...(lacks('disposable-mail') ? ['The email address is none of the disposable ones.'] : []),
      ...(lacks('no-proof') && lacks('busy-network') ? ['Its network was not sending many.'] : []),
      ...(lacks('honeypot-filled') ? ['Nothing stood in the field that people do not see.'] : []),
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
