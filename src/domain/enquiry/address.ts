import { applyEmailSuggestion } from './contact.ts'
import type { AddressCheckState, Answers, Enquiry } from './enquiry.ts'
import { normalizeLine, normalizeZip } from './normalize-answers.ts'

/** Returns a key of street and ZIP, which changes if the visitor changes either. */
export const makeAddressKey = ({ address, zip }: Pick<Answers, 'address' | 'zip'>): string =>
  `${normalizeLine(address)}|${normalizeZip(zip)}`

/** Returns whether city and state are known, and street and ZIP unchanged since the check (section 4). */
const isAddressUnchanged = (answers: Answers, { checkedFor }: AddressCheckState): boolean =>
  answers.city !== '' && answers.state !== '' && checkedFor === makeAddressKey(answers)

export const zipPlus4Pattern = /^\d{5}-\d{4}$/

/** Returns whether city and state come from the address check, and the ZIP+4 that the check found. */
export function toVerifiedAddress(answers: Answers, addressCheck: AddressCheckState) {
  const addressVerified = addressCheck.by === 'check' && isAddressUnchanged(answers, addressCheck)
  const zipPlus4 = (addressVerified && addressCheck.zipPlus4) || undefined
  return { addressVerified, zipPlus4 }
}

/** A doubt about the typed street that justifies asking the visitor. */
export type AddressDoubt =
  /** The service found a corrected street. */
  | 'street-corrected'
  /** The building has units, and the visitor entered no unit. */
  | 'unit-missing'
  /** The service could not locate the street. */
  | 'street-unknown'

/** A question about the typed address, which never blocks the visitor: a second Next keeps the typed address. */
export interface AddressQuestion {
  /** The street as the service would write it; absent if the service has no better spelling. */
  readonly suggestion?: string
  /** True if an apartment or unit number seems to be missing. */
  readonly asksForUnit?: true
  /** True if the service does not know the street and has no suggestion. */
  readonly isStreetUnknown?: true
}

/** The visitor's answer to a question about the address or the contact details; empty fields mean no answer. */
export interface QuestionReply {
  /** The suggested street, if the visitor accepted it. */
  readonly suggestion: string
  readonly unit: string
  /** The suggested email address, if the visitor accepted it. */
  readonly meantEmail?: string
}

/** Returns undefined if the address raises no question. */
export function makeAddressQuestion(
  typed: string,
  found: readonly string[],
  doubts: readonly AddressDoubt[],
): AddressQuestion | undefined {
  const street = found.join(' ').trim()
  const hasSuggestion = doubts.includes('street-corrected') && foldText(street) !== foldText(typed)
  const question: AddressQuestion = {
    ...(hasSuggestion ? { suggestion: street } : {}),
    ...(doubts.includes('unit-missing') ? { asksForUnit: true } : {}),
    ...(doubts.includes('street-unknown') && !hasSuggestion ? { isStreetUnknown: true } : {}),
  }
  return Object.keys(question).length > 0 ? question : undefined
}

export const isStreetUncertain = ({ suggestion, isStreetUnknown }: AddressQuestion): boolean =>
  suggestion !== undefined || isStreetUnknown === true

/** Applies the visitor's answer to the question. The result of the address check stays valid for the new street. */
export function applyReply(before: Enquiry, reply: QuestionReply): Enquiry {
  const enquiry = applyEmailSuggestion(before, reply.meantEmail ?? '')
  const suggestion = reply.suggestion.trim()
  const unit = reply.unit.trim()
  if (suggestion === '' && unit === '') return enquiry
  const { answers, addressCheck } = enquiry
  const street = suggestion || answers.address.trim()
  const address = unit === '' ? street : `${street} ${formatUnit(unit)}`
  const changed: Enquiry = { ...enquiry, answers: { ...answers, address } }
  if (!isAddressUnchanged(answers, addressCheck)) return changed
  return {
    ...changed,
    addressCheck: {
      ...addressCheck,
      checkedFor: makeAddressKey(changed.answers),
      by: suggestion === '' ? addressCheck.by : 'check',
      // Each unit of a building may have its own ZIP+4.
      zipPlus4: unit === '' ? addressCheck.zipPlus4 : '',
    },
  }
}

/** A bare number or letter gets the word "Unit": `4B` alone could be a part of the street. */
const formatUnit = (unit: string): string => (/^(\p{L}{2,}|#)/u.test(unit) ? unit : `Unit ${unit}`)

const foldText = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, '')

/** The specification's messages, word for word. */
export const invalidZip = 'Invalid zip code: please enter another value.'
export const invalidAddress = 'Invalid address: enter street address only.'

export interface ZipPlace {
  readonly city?: string | undefined
  /** The two letters of the state. */
  readonly state?: string | undefined
}
export interface ZipLookup extends ZipPlace {
  readonly status: string
}

export interface PostalAddress {
  readonly addressLines?: readonly string[] | undefined
  /** Five digits or ZIP+4. */
  readonly postalCode?: string | undefined
  /** The state's two letters. */
  readonly administrativeArea?: string | undefined
  readonly locality?: string | undefined
}

export interface AddressValidation {
  readonly postalAddress: PostalAddress
  readonly doubts: readonly AddressDoubt[]
}

/**
 * The ZIP lookup and the address validation. Each promise rejects if the service cannot answer, which is never the
 * visitor's fault (reading 11).
 */
export interface AddressServices {
  readonly lookUpZip: (zip: string) => Promise<ZipLookup>
  readonly validateAddress: (address: string, zip: string) => Promise<AddressValidation>
}

export type AddressCheck =
  | {
      readonly kind: 'verified'
      /** The city; empty if neither service knows it. */
      readonly city: string
      readonly state: string
      /** The postal code of the reply: see {@link PostalAddress.postalCode}. */
      readonly postalCode: string
      /** The question that the visitor answers before the next step; absent if there is no question. */
      readonly question?: AddressQuestion | undefined
    }
  | { readonly kind: 'invalid'; readonly field: 'zip' | 'address'; readonly message: string }
  /** A service did not answer, so the visitor enters city and state. */
  | {
      readonly kind: 'failed'
      /** The ZIP's city and state, if only the address validation failed. */
      readonly place?: ZipPlace
    }

export async function checkAddress(
  services: AddressServices,
  address: string,
  zip: string,
): Promise<AddressCheck> {
  let found: ZipLookup | undefined
  try {
    found = await services.lookUpZip(zip)
    if (found.status.toLowerCase() !== 'ok') {
      return { kind: 'invalid', field: 'zip', message: invalidZip }
    }
    const { postalAddress, doubts } = await services.validateAddress(address, zip)
    const { addressLines = [], postalCode, administrativeArea: state } = postalAddress
    const city = postalAddress.locality?.trim() || found.city || ''
    if (addressLines.join('').trim() === '' || !postalCode || !state) {
      return { kind: 'invalid', field: 'address', message: invalidAddress }
    }
    const question = makeAddressQuestion(address, addressLines, doubts)
    return { kind: 'verified', city, state, postalCode, question }
  } catch {
    return { kind: 'failed', ...(found?.city || found?.state ? { place: found } : {}) }
  }
}

export const askForPlace = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  addressCheck: {
    ...enquiry.addressCheck,
    checkedFor: makeAddressKey(enquiry.answers),
    by: 'hand',
    zipPlus4: '',
    zipState: '',
    toldState: '',
  },
})

/**
 * Asks the visitor to enter city and state, or to confirm the ZIP's city and state if only the street could not be
 * checked. Results for another ZIP are discarded.
 */
export function askToConfirmPlace(enquiry: Enquiry, place: ZipPlace | undefined): Enquiry {
  const { answers, addressCheck } = enquiry
  const asked = askForPlace(enquiry)
  const { city = '', state = '' } = place ?? {}
  const isTyped =
    addressCheck.by === 'hand' &&
    (place === undefined ? addressCheck.zipState === '' : isSameZip(enquiry))
  return {
    ...asked,
    answers: isTyped ? answers : { ...answers, city, state },
    addressCheck: { ...asked.addressCheck, zipState: state },
  }
}

const isSameZip = ({ answers, addressCheck }: Enquiry): boolean =>
  addressCheck.checkedFor.endsWith(makeAddressKey({ address: '', zip: answers.zip })) &&
  (answers.city !== '' || answers.state !== '')

/** Returns true if the entered state differs from the ZIP's state and the form has not yet asked about it. */
export const isStateUncertain = ({ state }: Answers, addressCheck: AddressCheckState): boolean =>
  addressCheck.by === 'hand' &&
  ![addressCheck.zipState || state, addressCheck.toldState].includes(state)
