import * as v from 'valibot'
import type { PostalAddress } from '#domain/enquiry/address-check.ts'
import type { AddressDoubt } from '#domain/enquiry/address-doubt.ts'

/** `GET /api/zip-lookups/{zip}`. The status is the geocoding service's: `OK` or `ZERO_RESULTS` (ruling 11). */
export interface ZipLookupReply {
  readonly status: string
  readonly city?: string
  readonly state?: string
}

/** The body of `POST /api/address-validations`. The service takes at most 280 characters. */
export const addressValidationRequest = v.object({
  address: v.pipe(v.string(), v.trim(), v.nonEmpty('Enter a street.'), v.maxLength(200)),
  zip: v.pipe(v.string(), v.regex(/^\d{5}$/, 'Enter 5 digits.')),
})

/** The reply of `POST /api/address-validations`: fields are absent where nothing was found. */
export interface AddressValidationReply {
  readonly result: {
    readonly address: { readonly postalAddress: PostalAddress }
    /** Absent where there is none. */
    readonly doubts?: readonly AddressDoubt[]
  }
}

/** `GET /api/ip-address`. */
export interface IpAddressReply {
  readonly IPv4: string
}
