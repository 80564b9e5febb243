import { stateName } from '#domain/enquiry/address/state-code.ts'
import type { ValidateAddress } from '../address-validation/client.ts'
import { lookUpZip } from '../zip-data/look-up-zip.ts'
import { hasStreetShape, holdsMoreThanStreet } from './street-rules.ts'

/**
 * `ADDRESS_CHECK=offline`: city and state from the bundled ZIP data, the street by its shape. Always answers; whether
 * the house exists it cannot know.
 */
export const validateAddressOffline: ValidateAddress = async (address, zip) => {
  const street = address.trim().replace(/\s+/g, ' ')
  const place = await lookUpZip(zip)
  if (place === undefined) {
    const lines = hasStreetShape(street) ? { addressLines: [street] } : {}
    return { kind: 'answered', postalAddress: lines, doubts: [] }
  }
  const named = { ...place, stateName: stateName(place.state) }
  const isStreet = hasStreetShape(street) && !holdsMoreThanStreet(street, zip, named)
  return {
    kind: 'answered',
    postalAddress: {
      ...(isStreet ? { addressLines: [street] } : {}),
      postalCode: zip,
      administrativeArea: place.state,
      locality: place.city,
    },
    doubts: [],
  }
}
