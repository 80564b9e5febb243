import { stateName } from '#domain/enquiry/state-code.ts'
import { hasStreetShape } from '#domain/enquiry/street-shape.ts'
import { lookUpMilitaryZip, lookUpZip, type ZipPlace } from '#domain/enquiry/zip-place.ts'
import type { ValidateAddress } from './address-validation.ts'
import type { LookUpZipPlace } from './geocoding.ts'

export interface Place extends ZipPlace {
  /** The state's full name, where known. */
  readonly stateName?: string | undefined
}

/** Whether the line holds what belongs in other fields: the ZIP, or city and state one after the other. */
export function containsPlace(street: string, zip: string, place: Place): boolean {
  // A house number may happen to equal the ZIP.
  const afterNumber = street.trim().replace(/^\d+\s/, '')
  if (afterNumber.split(/\D+/).includes(zip)) return true
  const words = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\d]+/gu, ' ')} `
  const line = words(street)
  return [place.state, place.stateName]
    .filter((state) => state !== undefined)
    .some((state) => line.includes(words(`${place.city} ${state}`)))
}

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
  const isStreet = hasStreetShape(street) && !containsPlace(street, zip, named)
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

/** `ADDRESS_CHECK=offline`: the zip lookup from the bundled data. Always answers. */
export const geocodeOffline: LookUpZipPlace = async (zip) => {
  const place = await lookUpZip(zip)
  if (place === undefined) return { kind: 'answered', status: 'ZERO_RESULTS' }
  return { kind: 'answered', status: 'OK', ...place }
}

/**
 * The forces' post offices (APO, FPO, DPO) move with them and stand on no map: where the service finds nothing for a
 * ZIP of theirs, the bundled data answers.
 */
export const withOfflineMilitaryZips =
  (lookUpZip: LookUpZipPlace): LookUpZipPlace =>
  async (zip) => {
    const found = await lookUpZip(zip)
    const isFound = found.kind !== 'answered' || found.status !== 'ZERO_RESULTS'
    return isFound || !(await lookUpMilitaryZip(zip)) ? found : geocodeOffline(zip)
  }

/** The same for the street: a box of a unit or of a ship, known by its shape. */
export const addressOrMilitaryOffline =
  (validateAddress: ValidateAddress): ValidateAddress =>
  async (address, zip) => {
    const found = await validateAddress(address, zip)
    if (found.kind !== 'answered' || !(await lookUpMilitaryZip(zip))) return found
    const { addressLines, postalCode, administrativeArea } = found.postalAddress
    const isWhole = addressLines?.length && postalCode && administrativeArea
    return isWhole ? found : validateAddressOffline(address, zip)
  }
