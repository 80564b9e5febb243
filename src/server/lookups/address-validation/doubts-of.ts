import type { AddressDoubt } from '#domain/enquiry/address/address-doubt.ts'
import type { ValidationResult } from './validation-result.ts'

/** The parts of an address that a visitor types into the street field. */
const streetParts = new Set([
  'street_number',
  'route',
  'subpremise',
  'premise',
  'post_box',
  'point_of_interest',
])

/**
 * What is worth asking the visitor about. CONFIRM alone is not: it also stands for small gaps in Google's map, and a
 * question costs more enquiries than it mends addresses.
 */
export function doubtsOf(result: ValidationResult): readonly AddressDoubt[] {
  const { verdict, address } = result
  // Where no street was found there is none to doubt: the address is invalid.
  if (!address.postalAddress.addressLines?.length) return []
  const action = verdict?.possibleNextAction
  const doubts: AddressDoubt[] = []
  if (isStreetCorrected(result)) doubts.push('street-corrected')
  if (
    action === 'CONFIRM_ADD_SUBPREMISES' ||
    address.missingComponentTypes.includes('subpremise')
  ) {
    doubts.push('unit-missing')
  }
  if (action === 'FIX') doubts.push('street-unknown')
  return doubts
}

/** A ZIP or a city that Google has replaced is no correction of the street; where no part is marked, the verdict counts. */
function isStreetCorrected({ verdict, address }: ValidationResult): boolean {
  if (!verdict?.hasReplacedComponents && !verdict?.hasSpellCorrectedComponents) return false
  const corrected = address.addressComponents.filter(
    ({ replaced, spellCorrected }) => replaced || spellCorrected,
  )
  return (
    corrected.length === 0 || corrected.some(({ componentType }) => streetParts.has(componentType))
  )
}
