import { withMeantEmail } from '../contact/contact-question.ts'
import type { Enquiry } from '../enquiry.ts'
import type { AddressDoubt } from './address-doubt.ts'
import { addressKey, isAddressSettled } from './settled-address.ts'

/**
 * What a visitor is asked about an address that was found. It never stands in the way: city and state are known by
 * then, so that pressing Next once more goes on with what was typed.
 */
export interface AddressQuestion {
  /** The street as the service would write it; absent where it has nothing better. */
  readonly suggestion?: string
  /** True where an apartment or unit number seems to be missing. */
  readonly asksForUnit?: true
  /** True where the service does not know the street, and has nothing better. */
  readonly isStreetUnknown?: true
}

/** What the visitor has said to a question. Both are empty where nothing was asked or said. */
export interface QuestionReply {
  /** The suggested street, where it was taken. */
  readonly suggestion: string
  readonly unit: string
  /** The suggested email address, where it was taken. */
  readonly meantEmail?: string
}

/** Undefined where there is nothing to ask. */
export function questionAbout(
  typed: string,
  found: readonly string[],
  doubts: readonly AddressDoubt[],
): AddressQuestion | undefined {
  const street = found.join(' ').trim()
  const hasSuggestion = doubts.includes('street-corrected') && plain(street) !== plain(typed)
  const question: AddressQuestion = {
    ...(hasSuggestion ? { suggestion: street } : {}),
    ...(doubts.includes('unit-missing') ? { asksForUnit: true } : {}),
    ...(doubts.includes('street-unknown') && !hasSuggestion ? { isStreetUnknown: true } : {}),
  }
  return Object.keys(question).length > 0 ? question : undefined
}

/** Whether the street as it was typed is not what the service has found. */
export const isStreetDoubted = ({ suggestion, isStreetUnknown }: AddressQuestion): boolean =>
  suggestion !== undefined || isStreetUnknown === true

/** The enquiry with what the visitor said to the question. What the check has found still stands for the new street. */
export function withReply(before: Enquiry, reply: QuestionReply): Enquiry {
  const enquiry = withMeantEmail(before, reply.meantEmail ?? '')
  const suggestion = reply.suggestion.trim()
  const unit = reply.unit.trim()
  if (suggestion === '' && unit === '') return enquiry
  const { answers, addressCheck } = enquiry
  const street = suggestion || answers.address.trim()
  const address = unit === '' ? street : `${street} ${unitWords(unit)}`
  const changed: Enquiry = { ...enquiry, answers: { ...answers, address } }
  if (!isAddressSettled(answers, addressCheck)) return changed
  return {
    ...changed,
    addressCheck: {
      ...addressCheck,
      checkedFor: addressKey(changed.answers),
      by: suggestion === '' ? addressCheck.by : 'check',
      // Within a building each unit may have its own.
      zipPlus4: unit === '' ? addressCheck.zipPlus4 : '',
    },
  }
}

/** A bare number or letter needs a word before it; `4B` alone could be a part of the street. */
const unitWords = (unit: string): string => (/^(\p{L}{2,}|#)/u.test(unit) ? unit : `Unit ${unit}`)

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, '')
