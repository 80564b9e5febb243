import type { ValidateAddress } from '../address-validation/client.ts'
import type { LookUpZipPlace } from '../geocoding/client.ts'
import { lookUpForcesZip } from '../zip-data/look-up-zip.ts'
import { geocodeOffline } from './geocode-offline.ts'
import { validateAddressOffline } from './validate-address-offline.ts'

/**
 * The forces' post offices (APO, FPO, DPO) move with them and stand on no map: where the service finds nothing for a
 * ZIP of theirs, the bundled data answers.
 */
export const zipOrForcesOffline =
  (lookUpZip: LookUpZipPlace): LookUpZipPlace =>
  async (zip) => {
    const found = await lookUpZip(zip)
    const isFound = found.kind !== 'answered' || found.status !== 'ZERO_RESULTS'
    return isFound || !(await lookUpForcesZip(zip)) ? found : geocodeOffline(zip)
  }

/** The same for the street: a box of a unit or of a ship, known by its shape. */
export const addressOrForcesOffline =
  (validateAddress: ValidateAddress): ValidateAddress =>
  async (address, zip) => {
    const found = await validateAddress(address, zip)
    if (found.kind !== 'answered' || !(await lookUpForcesZip(zip))) return found
    const { addressLines, postalCode, administrativeArea } = found.postalAddress
    const isWhole = addressLines?.length && postalCode && administrativeArea
    return isWhole ? found : validateAddressOffline(address, zip)
  }
