import * as v from 'valibot'

/** Google sends false as absence. */
const flag = v.optional(v.boolean(), false)
const componentTypes = v.optional(v.array(v.string()), [])

/**
 * Google leaves out what it did not find, but not `address`: a reply without it says nothing about the visitor's. What
 * the verdict does not say counts as nothing amiss; words that are new to us must not cost us the address.
 */
export const validationResult = v.object({
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
        /** ISO 3166-1: of a territory its own. */
        regionCode: v.optional(v.string(), 'US'),
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

export type ValidationResult = v.InferOutput<typeof validationResult>
