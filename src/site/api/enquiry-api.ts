import type { LeadReply, LeadRequest } from '#contract/lead-request.ts'
import type { AddressValidationReply, ZipLookupReply } from '#contract/lookups.ts'
import { apiPrefix, idempotencyHeader } from '#contract/own-api.ts'
import type { AddressServices } from '#domain/enquiry/address-check.ts'
import { ApiClient } from './api-client.ts'

const client = new ApiClient()
const prefix = apiPrefix

/** A ZIP is looked up while it is typed and again when Next is pressed: one call is enough. */
const zipLookups = new Map<string, Promise<ZipLookupReply>>()

/** The address check's two calls (section 7, form calls 1 and 2). */
export const addressServices: AddressServices = {
  lookUpZip: (zip) => {
    const known = zipLookups.get(zip)
    if (known) return known
    const lookup = client.get<ZipLookupReply>(`zip-lookups/${encodeURIComponent(zip)}`, { prefix })
    zipLookups.set(zip, lookup)
    // What failed may be asked again.
    lookup.catch(() => zipLookups.delete(zip))
    return lookup
  },
  validateAddress: async (address, zip) => {
    const { result } = await client.post<AddressValidationReply>(
      'address-validations',
      { address, zip },
      { prefix },
    )
    return { postalAddress: result.address.postalAddress, doubts: result.doubts ?? [] }
  },
}

/** Sends the enquiry. The same key again is the same lead, so a failed call may safely be repeated. */
export const sendLead = (request: LeadRequest, key: string): Promise<LeadReply> =>
  client.post('leads', request, { prefix, headers: { [idempotencyHeader]: key } })
