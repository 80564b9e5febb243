import * as v from 'valibot'
import { type LeadReply, type LeadRequest, leadReply } from '#contract/lead-request.ts'
import { addressValidationReply, type ZipLookupReply, zipLookupReply } from '#contract/lookups.ts'
import { apiPrefix, idempotencyHeader } from '#contract/own-api.ts'
import type { AddressFinding } from '#domain/enquiry/address.ts'
import { ApiClient } from './api-client.ts'

const client = new ApiClient()
const prefix = apiPrefix

/** A ZIP is looked up while it is typed and again when Next is pressed: one call is enough. */
const zipLookups = new Map<string, Promise<ZipLookupReply>>()

/** The form's ZIP lookup. */
export function lookUpZip(zip: string): Promise<ZipLookupReply> {
  const known = zipLookups.get(zip)
  if (known) return known
  const lookup = client
    .get(`zip-lookups/${encodeURIComponent(zip)}`, { prefix })
    .then((reply) => v.parse(zipLookupReply, reply))
  zipLookups.set(zip, lookup)
  // What failed may be asked again.
  lookup.catch(() => zipLookups.delete(zip))
  return lookup
}

/** The form's address validation. */
export async function validateAddress(address: string, zip: string): Promise<AddressFinding> {
  const reply = await client.post('address-validations', { address, zip }, { prefix })
  const { result } = v.parse(addressValidationReply, reply)
  return { postalAddress: result.address.postalAddress, doubts: result.doubts ?? [] }
}

/**
 * Sends the enquiry. The same key again is the same lead, so a failed call may safely be repeated. Who answers without a
 * lead's id, as a hotel's portal may, has not stored it.
 */
export const sendLead = async (request: LeadRequest, key: string): Promise<LeadReply> =>
  v.parse(
    leadReply,
    await client.post('leads', request, { prefix, headers: { [idempotencyHeader]: key } }),
  )
