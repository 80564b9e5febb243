import type { AddressDoubt } from './address-doubt.ts'
import { type AddressQuestion, questionAbout } from './address-question.ts'

/** The specification's messages, word for word. */
export const invalidZip = 'Invalid zip code: please enter another value.'
export const invalidAddress = 'Invalid address: enter street address only.'

export interface ZipPlace {
  readonly city?: string | undefined
  /** Two letters. */
  readonly state?: string | undefined
}

/** What the zip lookup knows. */
export interface ZipLookup extends ZipPlace {
  readonly status: string
}

/** What the address validation found; absent where it found nothing. */
export interface PostalAddress {
  readonly addressLines?: readonly string[] | undefined
  /** Five digits or ZIP+4. */
  readonly postalCode?: string | undefined
  /** The state's two letters. */
  readonly administrativeArea?: string | undefined
  /** The city. */
  readonly locality?: string | undefined
}

export interface AddressFinding {
  readonly postalAddress: PostalAddress
  readonly doubts: readonly AddressDoubt[]
}

/** The two services. Each rejects where it cannot answer: that is never the visitor's fault (reading 11). */
export interface AddressServices {
  readonly lookUpZip: (zip: string) => Promise<ZipLookup>
  readonly validateAddress: (address: string, zip: string) => Promise<AddressFinding>
}

export type AddressCheck =
  | {
      readonly kind: 'verified'
      /** Empty where neither service knows it. */
      readonly city: string
      readonly state: string
      /** As the reply has it: see {@link PostalAddress.postalCode}. */
      readonly postalCode: string
      /** What the visitor is asked before going on; absent where there is nothing to ask. */
      readonly question?: AddressQuestion | undefined
    }
  | { readonly kind: 'invalid'; readonly field: 'zip' | 'address'; readonly message: string }
  /** A service did not answer: the visitor goes on by hand. */
  | {
      readonly kind: 'failed'
      /** The ZIP's, where it was the other service. */
      readonly place?: ZipPlace
    }

/** The address check: first the ZIP, then the street. */
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
