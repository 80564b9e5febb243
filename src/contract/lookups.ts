import * as v from 'valibot'
import { programTypes } from '#domain/area.ts'
import type { AddressDoubt } from '#domain/enquiry/address.ts'

/** The response to `GET /api/zip-lookups/{zip}`. Geocoding's status is `OK` or `ZERO_RESULTS` (reading 11). */
export const zipLookupReplySchema = v.object({
  status: v.string(),
  city: v.optional(v.string()),
  state: v.optional(v.string()),
})

export type ZipLookupReply = v.InferOutput<typeof zipLookupReplySchema>

/** The body of `POST /api/address-validations`. Google accepts at most 280 characters for an address. */
export const addressValidationRequestSchema = v.object({
  address: v.pipe(v.string(), v.trim(), v.nonEmpty('Enter a street.'), v.maxLength(200)),
  zip: v.pipe(v.string(), v.regex(/^\d{5}$/, 'Enter 5 digits.')),
})

/** The response to `POST /api/address-validations`, without the fields that the address service did not find. */
export const addressValidationReplySchema = v.object({
  result: v.object({
    address: v.object({
      postalAddress: v.object({
        addressLines: v.optional(v.pipe(v.array(v.string()), v.readonly())),
        postalCode: v.optional(v.string()),
        administrativeArea: v.optional(v.string()),
        locality: v.optional(v.string()),
      }),
    }),
    /** Reasons to ask the visitor about the street. A page loaded before an upgrade may receive an unknown reason. */
    doubts: v.optional(
      v.pipe(v.array(v.custom<AddressDoubt>((doubt) => typeof doubt === 'string')), v.readonly()),
    ),
  }),
})

export type AddressValidationReply = v.InferOutput<typeof addressValidationReplySchema>

const maxPrograms = 100

const wholeNumberSchema = (max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'Give a whole number, 0 or more.'),
    v.transform(Number),
    v.maxValue(max, `Give at most ${max}.`),
  )

export const programsQuerySchema = v.object({
  skip: v.optional(wholeNumberSchema(999_999_999), '0'),
  take: v.optional(wholeNumberSchema(maxPrograms), String(maxPrograms)),
  active: v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'Give true or false.'),
      v.transform((text) => text === 'true'),
    ),
  ),
  type: v.optional(v.picklist(programTypes, `Give one of ${programTypes.join(', ')}.`)),
  educationLevel: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^-?\d{1,9}$/, 'Give an education level’s id.'),
      v.transform(Number),
    ),
  ),
})

export interface ProgramItem {
  readonly id: number
  readonly name: string
  readonly active?: true
  readonly types: readonly string[]
  readonly degreeType: string
}
