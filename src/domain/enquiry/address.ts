import type { AddressCheckState, Answers, Enquiry, StepQuestion } from './enquiry.ts'
import { tidyLine, tidyZip } from './tidy-answers.ts'

/** Identifies a street and ZIP, so that a later change of either is noticed. */
export const addressKey = ({ address, zip }: Pick<Answers, 'address' | 'zip'>): string =>
  `${tidyLine(address)}|${tidyZip(zip)}`

/** The specification's skip rule: city and state are known, and street and ZIP have not changed since the check. */
const isAddressSettled = (answers: Answers, { checkedFor }: AddressCheckState): boolean =>
  answers.city !== '' && answers.state !== '' && checkedFor === addressKey(answers)

export const zipPlus4Pattern = /^\d{5}-\d{4}$/

/** The part of an enquiry that says whether city and state come from the address check, with the ZIP+4 that it found. */
export function verifiedAddress(answers: Answers, addressCheck: AddressCheckState) {
  const addressVerified = addressCheck.by === 'check' && isAddressSettled(answers, addressCheck)
  const zipPlus4 = (addressVerified && addressCheck.zipPlus4) || undefined
  return { addressVerified, zipPlus4 }
}

/** The doubt about the typed street, if the address service is sure enough to ask the visitor. */
export type AddressDoubt =
  /** The service found a corrected street. */
  | 'street-corrected'
  /** The building has units, and the visitor entered none. */
  | 'unit-missing'
  /** The service could not locate the street. */
  | 'street-unknown'

export function questionAbout(
  typed: string,
  found: readonly string[],
  doubts: readonly AddressDoubt[],
): StepQuestion | undefined {
  const street = found.join(' ').trim()
  if (doubts.includes('street-corrected') && plain(street) !== plain(typed)) {
    return { about: 'street', suggestion: street }
  }
  if (doubts.includes('street-unknown')) return { about: 'street' }
  return doubts.includes('unit-missing') ? { about: 'unit' } : undefined
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, '')

/** Replaces the street by the accepted suggestion. The result of the address check stays valid for the new street. */
export function withStreet({ answers, addressCheck, ...rest }: Enquiry, address: string): Enquiry {
  const changed = { ...answers, address }
  return {
    ...rest,
    answers: changed,
    addressCheck: isAddressSettled(answers, addressCheck)
      ? { ...addressCheck, checkedFor: addressKey(changed), by: 'check' }
      : addressCheck,
  }
}

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

/** The result of the address validation; absent if it found nothing. */
export interface PostalAddress {
  readonly addressLines?: readonly string[] | undefined
  /** Five digits or ZIP+4. */
  readonly postalCode?: string | undefined
  /** The state's two letters. */
  readonly administrativeArea?: string | undefined
  readonly locality?: string | undefined
}

export interface AddressFinding {
  readonly postalAddress: PostalAddress
  readonly doubts: readonly AddressDoubt[]
}

/**
 * The ZIP lookup and the address validation. Each promise rejects if the service cannot answer, which is never the
 * visitor's fault (reading 11).
 */
export interface AddressServices {
  readonly lookUpZip: (zip: string) => Promise<ZipLookup>
  readonly validateAddress: (address: string, zip: string) => Promise<AddressFinding>
}

export type AddressCheck =
  | {
      readonly kind: 'verified'
      /** The city; empty if neither service knows it. */
      readonly city: string
      readonly state: string
      /** The postal code of the reply: see {@link PostalAddress.postalCode}. */
      readonly postalCode: string
      /** The question that the visitor answers before the next step; absent if there is none. */
      readonly question?: StepQuestion | undefined
    }
  | { readonly kind: 'invalid'; readonly field: 'zip' | 'address'; readonly message: string }
  /** A service did not answer, so the visitor enters city and state. */
  | {
      readonly kind: 'failed'
      /** The place of the ZIP, if only the address validation failed. */
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
    const question = questionAbout(address, addressLines, doubts)
    return { kind: 'verified', city, state, postalCode, question }
  } catch {
    return { kind: 'failed', ...(found?.city || found?.state ? { place: found } : {}) }
  }
}

export const enterByHand = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  addressCheck: { checkedFor: addressKey(enquiry.answers), by: 'hand', zipPlus4: '' },
})

/**
 * Asks the visitor to enter city and state, or to confirm the ZIP's place if only the street could not be checked. Keeps
 * what the visitor has entered, unless it belongs to another ZIP.
 */
export function askForPlace(enquiry: Enquiry, place: ZipPlace | undefined): Enquiry {
  const { answers, addressCheck } = enquiry
  const isTyped = addressCheck.by === 'hand' && (answers.city !== '' || answers.state !== '')
  const isSameZip = addressCheck.checkedFor.endsWith(`|${answers.zip}`)
  if (isTyped && (place === undefined || isSameZip)) return enterByHand(enquiry)
  const { city = '', state = '' } = place ?? {}
  return enterByHand({ ...enquiry, answers: { ...answers, city, state } })
}
