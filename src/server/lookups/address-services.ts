import type { AddressFinding, AddressServices } from '#domain/enquiry/address.ts'

/** A lookup service that cannot answer: never the visitor's fault (reading 11). */
export interface Unavailable {
  readonly kind: 'unavailable'
  /** One word for the log; no personal data. */
  readonly reason: string
}

export interface AddressServicePorts {
  readonly lookUpZip: (
    zip: string,
  ) => Promise<{ kind: 'answered'; status: string; city?: string; state?: string } | Unavailable>
  readonly validateAddress: (
    address: string,
    zip: string,
  ) => Promise<({ kind: 'answered' } & AddressFinding) | Unavailable>
  /** Informs the operator; the visitor continues by hand. */
  readonly onUnavailable: (service: 'zip lookup' | 'address validation', reason: string) => void
}

/** The own API's code; the visitor's text is in `addressNotice`. */
export const addressServiceDown = 'the address service is not available right now'

/** The two services of the address check. They reject where they cannot answer. */
export function makeAddressServices(ports: AddressServicePorts): AddressServices {
  return {
    lookUpZip: async (zip) => {
      const found = await ports.lookUpZip(zip)
      if (found.kind === 'answered') {
        const { kind: _, ...answer } = found
        return answer
      }
      ports.onUnavailable('zip lookup', found.reason)
      throw new Error(addressServiceDown)
    },
    validateAddress: async (address, zip) => {
      const found = await ports.validateAddress(address, zip)
      if (found.kind === 'answered') return found
      ports.onUnavailable('address validation', found.reason)
      throw new Error(addressServiceDown)
    },
  }
}
