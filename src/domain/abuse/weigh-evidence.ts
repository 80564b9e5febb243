import { capitalised } from '../text/capitalised.ts'
import { isStrong, type Signal } from './signal.ts'
import { signalInWords } from './signal-in-words.ts'

/** What is known of a lead in quarantine. */
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

/** What is found is said on one side; what was looked for and not found speaks for a person, as far as that goes. */
export function weighEvidence(known: KnownOfLead): WeighedEvidence {
  const { signals, isAddressVerified, others } = known
  const lacks = (signal: Signal) => !signals.includes(signal)
  const inOrder = [...signals].sort((one, other) => Number(isStrong(other)) - Number(isStrong(one)))
  return {
    against: [
      ...inOrder.map(
        (signal) =>
          `${capitalised(signalInWords(signal))}: ${
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
