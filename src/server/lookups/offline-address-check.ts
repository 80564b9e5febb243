import { findStateName } from '#domain/enquiry/state-code.ts'
import {
  looksLikeStreetLine,
  lookUpMilitaryZip,
  lookUpZip,
  type ZipEntry,
} from '#domain/enquiry/street-line.ts'
import type { AddressValidator } from './address-validation.ts'
import type { ZipPlaceLookup } from './geocoding.ts'

/** Returns whether the street contains the ZIP, or the city followed by the state, which belong in other fields. */
export function containsZipOrCityAndState(street: string, zip: string, place: ZipEntry): boolean {
  const { city, state } = place
  // The house number may equal the ZIP.
  const afterNumber = street.trim().replace(/^\d+\s/, '')
  if (afterNumber.split(/\D+/).includes(zip)) return true
  const toWords = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\d]+/gu, ' ')} `
  return [state, findStateName(state)].some(
    (name) => name !== undefined && toWords(street).includes(toWords(`${city} ${name}`)),
  )
}

/**
 * Validates an address by its ZIP code and the shape of the street; it cannot find out whether the house exists. The
 * rules for the shape only guess, so an unusual street raises a doubt, and the visitor may keep the street.
 */
export const validateAddressOffline: AddressValidator = async (address, zip) => {
  const street = address.trim().replace(/\s+/g, ' ')
  const place = await lookUpZip(zip)
  const isUsual =
    looksLikeStreetLine(street) && !(place && containsZipOrCityAndState(street, zip, place))
  return {
    kind: 'answered',
    postalAddress: {
      addressLines: [street],
      ...(place && { postalCode: zip, administrativeArea: place.state, locality: place.city }),
    },
    doubts: isUsual ? [] : ['street-unknown'],
  }
}

/** Looks up a ZIP code in the bundled data, for `ADDRESS_CHECK=offline`; never fails. */
export const geocodeOffline: ZipPlaceLookup = async (zip) => {
  const place = await lookUpZip(zip)
  if (place === undefined) return { kind: 'answered', status: 'ZERO_RESULTS' }
  return { kind: 'answered', status: 'OK', ...place }
}

/** Google finds no ZIP codes of military post offices (APO, FPO, DPO), so the server uses the bundled data. */
export const withOfflineMilitaryZips =
  (lookUpZip: ZipPlaceLookup): ZipPlaceLookup =>
  async (zip) => {
    const found = await lookUpZip(zip)
    const isFound = found.kind !== 'answered' || found.status !== 'ZERO_RESULTS'
    return isFound || !(await lookUpMilitaryZip(zip)) ? found : geocodeOffline(zip)
  }

/** Validates a military address by its shape if Google does not find it. */
export const withOfflineMilitaryAddresses =
  (validateAddress: AddressValidator): AddressValidator =>
  async (address, zip) => {
    const found = await validateAddress(address, zip)
    if (found.kind !== 'answered' || !(await lookUpMilitaryZip(zip))) return found
    const { addressLines, postalCode, administrativeArea } = found.postalAddress
    const isWhole = addressLines?.length && postalCode && administrativeArea
    return isWhole ? found : validateAddressOffline(address, zip)
  }
