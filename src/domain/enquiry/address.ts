import type { Answers } from './answers.ts'
import { type CityAndStateOrigin, type Enquiry, uncheckedAddress } from './enquiry.ts'
import { normalizeLine, normalizeZip } from './normalize-answers.ts'

/** Returns a key of street and ZIP. Spellings that differ only in spaces or invisible characters have the same key. */
export const makeAddressKey = ({ address, zip }: Pick<Answers, 'address' | 'zip'>): string =>
  `${normalizeLine(address)}|${normalizeZip(zip)}`

/** Returns whether city and state are known, and street and ZIP have not changed since the check (section 4). */
const isAddressUnchanged = (answers: Answers, { checkedFor }: CityAndStateOrigin): boolean =>
  answers.city !== '' && answers.state !== '' && checkedFor === makeAddressKey(answers)

export const zipPlus4Pattern = /^\d{5}-\d{4}$/

/** Returns whether the address check filled in city and state, and the ZIP+4 that the check found. */
export function findAddressVerification(answers: Answers, addressCheck: CityAndStateOrigin) {
  const addressVerified = addressCheck.by === 'check' && isAddressUnchanged(answers, addressCheck)
  const zipPlus4 = (addressVerified && addressCheck.zipPlus4) || undefined
  return { addressVerified, zipPlus4 }
}

/** A reason to ask the visitor about the typed street. */
export type AddressDoubt =
  /** The address service suggests a corrected street. */
  | 'street-corrected'
  /** The building has units, and the visitor entered no unit. */
  | 'unit-missing'
  /** The address service could not locate the street. */
  | 'street-unknown'

/** A question about the typed address. If the visitor presses Next again, the typed address stays. */
export interface AddressQuestion {
  /** The street as the address service writes it; absent if the service suggests no other spelling. */
  readonly suggestion?: string
  readonly asksForUnit?: true
  /** True if the address service neither knows the street nor suggests another. */
  readonly isStreetUnknown?: true
}

/** The visitor's answer to a question about the address or contact details. An empty field is no answer. */
export interface QuestionReply {
  /** The suggested street, if the visitor accepted it. */
  readonly suggestion: string
  readonly unit: string
  /** The suggested email address, if the visitor accepted it. */
  readonly meantEmail?: string
  /** True if the visitor will choose another program. */
  readonly dropsProgram?: boolean
  /** True if the visitor pressed Enter in a field, which answers no question. */
  readonly isUndecided?: boolean
}

/** Returns the question to ask about the address; undefined if there is nothing to ask. */
export function makeAddressQuestion(
  typed: string,
  found: readonly string[],
  doubts: readonly AddressDoubt[],
): AddressQuestion | undefined {
  const street = found.join(' ').trim()
  const hasSuggestion =
    doubts.includes('street-corrected') && toComparable(street) !== toComparable(typed)
  const question: AddressQuestion = {
    ...(hasSuggestion ? { suggestion: street } : {}),
    ...(doubts.includes('unit-missing') ? { asksForUnit: true } : {}),
    ...(doubts.includes('street-unknown') && !hasSuggestion ? { isStreetUnknown: true } : {}),
  }
  return Object.keys(question).length > 0 ? question : undefined
}

/** Removes case and punctuation, which make no difference between two spellings of a street. */
const toComparable = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, '')

/** Applies the visitor's answer to the question. The result of the address check stays valid for the changed street. */
export function applyQuestionReply(enquiry: Enquiry, reply: QuestionReply): Enquiry {
  const { addressCheck } = enquiry
  const meant = {
    email: reply.meantEmail || enquiry.answers.email,
    programId: reply.dropsProgram ? '' : enquiry.answers.programId,
  }
  const answers = { ...enquiry.answers, ...meant }
  const suggestion = reply.suggestion.trim()
  const unit = reply.unit.trim()
  if (suggestion === '' && unit === '') return { ...enquiry, answers }
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

/** Puts “Unit” before a bare number or letter, because `4B` alone could be a part of the street. */
const formatUnit = (unit: string): string => (/^(\p{L}{2,}|#)/u.test(unit) ? unit : `Unit ${unit}`)

/** The error messages of the specification, word for word. */
export const invalidZipMessage = 'Invalid zip code: please enter another value.'
export const invalidAddressMessage = 'Invalid address: enter street address only.'

/** The city and state of a ZIP code, as far as they are known. */
export interface CityAndState {
  readonly city?: string | undefined
  /** The two letters of the state. */
  readonly state?: string | undefined
}
export interface ZipLookup extends CityAndState {
  readonly status: string
}

export interface PostalAddress {
  readonly addressLines?: readonly string[] | undefined
  /** The ZIP code: five digits or ZIP+4. */
  readonly postalCode?: string | undefined
  /** The state's two letters. */
  readonly administrativeArea?: string | undefined
  readonly locality?: string | undefined
}

export interface AddressValidation {
  readonly postalAddress: PostalAddress
  readonly doubts: readonly AddressDoubt[]
}

/** The services that check an address. The promise of a service rejects if the service cannot answer (reading 11). */
export interface AddressServices {
  readonly lookUpZip: (zip: string) => Promise<ZipLookup>
  readonly validateAddress: (address: string, zip: string) => Promise<AddressValidation>
}

export type AddressCheck =
  | {
      readonly kind: 'verified'
      /** The city; empty if neither the ZIP lookup nor the address validation knows it. */
      readonly city: string
      readonly state: string
      /** The postal code from the address validation: see {@link PostalAddress.postalCode}. */
      readonly postalCode: string
      readonly question?: AddressQuestion | undefined
    }
  | { readonly kind: 'invalid'; readonly field: 'zip' | 'address'; readonly message: string }
  /** A service did not answer, so the visitor enters city and state. */
  | {
      readonly kind: 'failed'
      /** The ZIP's city and state, if the ZIP lookup answered and only the address validation failed. */
      readonly place?: CityAndState
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
      return { kind: 'invalid', field: 'zip', message: invalidZipMessage }
    }
    const { postalAddress, doubts } = await services.validateAddress(address, zip)
    const { addressLines = [], postalCode, administrativeArea: state } = postalAddress
    const city = postalAddress.locality?.trim() || found.city || ''
    if (addressLines.join('').trim() === '' || !postalCode || !state) {
      return { kind: 'invalid', field: 'address', message: invalidAddressMessage }
    }
    const question = makeAddressQuestion(address, addressLines, doubts)
    return { kind: 'verified', city, state, postalCode, question }
  } catch {
    return { kind: 'failed', ...(found?.city || found?.state ? { place: found } : {}) }
  }
}

/** Returns the enquiry with the fields for city and state visible. */
export const showCityAndStateFields = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  addressCheck: {
    ...uncheckedAddress,
    checkedFor: makeAddressKey(enquiry.answers),
    by: 'hand',
  },
})

/** Fills in the ZIP's city and state, if known. The visitor's entries stay unless they belong to another ZIP. */
export function prefillCityAndState(enquiry: Enquiry, place: CityAndState | undefined): Enquiry {
  const { answers, addressCheck } = enquiry
  const { city = '', state = '' } = place ?? {}
  const isTyped =
    addressCheck.by === 'hand' &&
    addressCheck.checkedFor.endsWith(makeAddressKey({ address: '', zip: answers.zip })) &&
    (answers.city !== '' || answers.state !== '')
  const requested = showCityAndStateFields(enquiry)
  return isTyped ? requested : { ...requested, answers: { ...answers, city, state } }
}
