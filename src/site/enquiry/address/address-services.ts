import type { AddressServices } from '#domain/enquiry/address.ts'
import { lookUpZip, validateAddress } from '../../api/enquiry-api.ts'
import { untilLimit } from '../../api/time-limit.ts'

/** The services of one address check, which have the time of one call together. */
export function addressServices(): AddressServices {
  const limit = untilLimit()
  return {
    lookUpZip: (zip) => Promise.race([lookUpZip(zip), limit]),
    validateAddress: (address, zip) => Promise.race([validateAddress(address, zip), limit]),
  }
}
