import * as v from 'valibot'
import type { AddressFinding } from '#domain/enquiry/address-check.ts'
import { doubtsOf } from './doubts-of.ts'

/** Google sends false as absence. */
const flag = v.optional(v.boolean(), false)
const componentTypes = v.optional(v.array(v.string()), [])

/**
 * Google leaves out what it did not find, but not `address`: a reply without it says nothing about the visitor's. What
 * the verdict does not say counts as nothing amiss; words that are new to us must not cost us the address.
 */
const resultSchema = v.object({
  verdict: v.optional(
    v.object({
      possibleNextAction: v.optional(v.string()),
      hasReplacedComponents: flag,
      hasSpellCorrectedComponents: flag,
    }),
  ),
  address: v.object({
    postalAddress: v.optional(
      v.object({
        addressLines: v.optional(v.array(v.string())),
        postalCode: v.optional(v.string()),
        administrativeArea: v.optional(v.string()),
        locality: v.optional(v.string()),
      }),
      {},
    ),
    addressComponents: v.optional(
      v.array(
        v.object({
          componentType: v.optional(v.string(), ''),
          replaced: flag,
          spellCorrected: flag,
        }),
      ),
      [],
    ),
    missingComponentTypes: componentTypes,
  }),
})

export type ValidationResult = v.InferOutput<typeof resultSchema>

const replySchema = v.object({ result: resultSchema })

const errorSchema = v.object({
  error: v.object({ details: v.array(v.object({ reason: v.optional(v.string()) })) }),
})

/** The address found, each part absent where Google found none; undefined where this is not Google's reply. */
export function readFinding(reply: unknown): AddressFinding | undefined {
  const parsed = v.safeParse(replySchema, reply)
  if (!parsed.success) return undefined
  const { result } = parsed.output
  return { postalAddress: result.address.postalAddress, doubts: doubtsOf(result) }
}

/** `error.details[].reason` of a Google API error, such as API_KEY_INVALID. */
export function readErrorReasons(reply: unknown): readonly string[] {
  const parsed = v.safeParse(errorSchema, reply)
  if (!parsed.success) return []
  return parsed.output.error.details.flatMap(({ reason }) => reason ?? [])
}
