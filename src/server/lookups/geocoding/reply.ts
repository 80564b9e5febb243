import * as v from 'valibot'
import type { UnavailableReason } from '#server/platform/call/look-up.ts'

const componentSchema = v.object({
  long_name: v.string(),
  short_name: v.string(),
  types: v.array(v.string()),
})

const resultSchema = v.object({
  address_components: v.array(componentSchema),
  postcode_localities: v.optional(v.array(v.string())),
})

export type GeocodingResult = v.InferOutput<typeof resultSchema>

const replySchema = v.object({
  // Case does not count.
  status: v.pipe(
    v.string(),
    v.toUpperCase(),
    v.picklist([
      'OK',
      'ZERO_RESULTS',
      'OVER_DAILY_LIMIT',
      'OVER_QUERY_LIMIT',
      'REQUEST_DENIED',
      'INVALID_REQUEST',
      'UNKNOWN_ERROR',
    ]),
  ),
  results: v.optional(v.array(resultSchema), []),
})

export type GeocodingReply = v.InferOutput<typeof replySchema>

/** Google answers HTTP 200 to nearly everything: the fault stands in `status`. */
export const statusFaults: Readonly<Partial<Record<GeocodingReply['status'], UnavailableReason>>> =
  {
    // A missing or invalid key, billing that is off, or a cap that the operator has set: only the operator can end it.
    OVER_DAILY_LIMIT: 'refused-key',
    OVER_QUERY_LIMIT: 'quota',
    REQUEST_DENIED: 'refused-key',
    INVALID_REQUEST: 'bad-request',
    UNKNOWN_ERROR: 'down',
  }

/** Undefined where this is not Google's reply. */
export function readGeocodingReply(reply: unknown): GeocodingReply | undefined {
  const parsed = v.safeParse(replySchema, reply)
  return parsed.success ? parsed.output : undefined
}
