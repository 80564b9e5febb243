import * as v from 'valibot'
import { parseJson } from '#server/platform/call/parse-json.ts'

const reasonSchema = v.union([v.string(), v.array(v.string())])

/**
 * The distributor publishes no document; this is what its public clients have met. A reason that fits none of the
 * shapes is dropped, never the reply's status. As with the other third parties' `status` case does not count.
 */
const replySchema = v.object({
  // One that writes "Success" would be sent the same lead nine times.
  status: v.pipe(v.string(), v.toLowerCase(), v.picklist(['success', 'failure'])),
  reason: v.fallback(
    v.optional(v.union([reasonSchema, v.record(v.string(), reasonSchema)])),
    undefined,
  ),
  reasons: v.fallback(v.optional(reasonSchema), undefined),
  errors: v.fallback(v.optional(reasonSchema), undefined),
  reason_code: v.fallback(v.optional(v.union([v.string(), v.number()])), undefined),
})

type Reply = v.InferOutput<typeof replySchema>

export type DistributorReply =
  | { readonly status: 'success' }
  | { readonly status: 'failure'; readonly reasons: readonly string[] }

/** The body of an HTTP 200; undefined where it is not the contract's. */
export function readReply(body: string): DistributorReply | undefined {
  const parsed = v.safeParse(replySchema, parseJson(body))
  if (!parsed.success) return undefined
  if (parsed.output.status === 'success') return { status: 'success' }
  return { status: 'failure', reasons: reasonsOf(parsed.output) }
}

function reasonsOf({ reason, reasons, errors, reason_code }: Reply): string[] {
  const all = [
    ...fieldReasons(reason),
    ...list(reasons),
    ...list(errors),
    ...list(reason_code === undefined ? undefined : `${reason_code}`),
  ]
  return [...new Set(all.map((text) => text.trim()).filter((text) => text !== ''))]
}

/** `base` concerns the whole lead; any other key is the field that the words are about. */
function fieldReasons(reason: Reply['reason']): string[] {
  if (reason === undefined || typeof reason === 'string' || Array.isArray(reason)) {
    return list(reason)
  }
  return Object.entries(reason).flatMap(([field, texts]) =>
    list(texts).map((text) => (field === 'base' ? text : `${field}: ${text}`)),
  )
}

const list = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value
