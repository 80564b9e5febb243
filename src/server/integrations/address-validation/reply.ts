import * as v from 'valibot'
import type { PostalAddress } from '#domain/enquiry/address-check.ts'

/** Google leaves out what it did not find, but not `address`: a reply without it says nothing about the visitor's. */
const replySchema = v.object({
  result: v.object({
    address: v.object({
      postalAddress: v.optional(
        v.object({
          addressLines: v.optional(v.array(v.string())),
          postalCode: v.optional(v.string()),
          administrativeArea: v.optional(v.string()),
          locality: v.optional(v.string()),
        }),
      ),
    }),
  }),
})

const errorSchema = v.object({
  error: v.object({ details: v.array(v.object({ reason: v.optional(v.string()) })) }),
})

/** The address found, each part absent where Google found none; undefined where this is not Google's reply. */
export function readPostalAddress(reply: unknown): PostalAddress | undefined {
  const parsed = v.safeParse(replySchema, reply)
  if (!parsed.success) return undefined
  return parsed.output.result.address.postalAddress ?? {}
}

/** `error.details[].reason` of a Google API error, such as API_KEY_INVALID. */
export function readErrorReasons(reply: unknown): readonly string[] {
  const parsed = v.safeParse(errorSchema, reply)
  if (!parsed.success) return []
  return parsed.output.error.details.flatMap(({ reason }) => reason ?? [])
}
