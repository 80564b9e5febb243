import * as v from 'valibot'
import type { AddressFinding } from '#domain/enquiry/address/address-check.ts'
import { stateIn } from '../geocoding/country-of.ts'
import { doubtsOf } from './doubts-of.ts'
import { validationResult } from './validation-result.ts'

const replySchema = v.object({ result: validationResult })

const errorSchema = v.object({
  error: v.object({ details: v.array(v.object({ reason: v.optional(v.string()) })) }),
})

/** The address found, each part absent where Google found none; undefined where this is not Google's reply. */
export function readFinding(reply: unknown): AddressFinding | undefined {
  const parsed = v.safeParse(replySchema, reply)
  if (!parsed.success) return undefined
  const { result } = parsed.output
  const { regionCode, administrativeArea, ...found } = result.address.postalAddress
  const state = stateIn(regionCode, administrativeArea)
  const postalAddress = { ...found, ...(state ? { administrativeArea: state } : {}) }
  return { postalAddress, doubts: doubtsOf(result) }
}

/** `error.details[].reason` of a Google API error, such as API_KEY_INVALID. */
export function readErrorReasons(reply: unknown): readonly string[] {
  const parsed = v.safeParse(errorSchema, reply)
  if (!parsed.success) return []
  return parsed.output.error.details.flatMap(({ reason }) => reason ?? [])
}
