import type { DistributorLead } from '#domain/lead/distributor-lead.ts'
import { call } from '#server/platform/call/call.ts'
import type { Distributor } from './deliver-leads.ts'
import { outcomeOf } from './distributor-reply.ts'

export interface DistributorSettings {
  /** The incoming-leads endpoint. */
  readonly url: string
  readonly encoding: LeadEncoding
  /** Milliseconds, for the whole call. */
  readonly timeoutMs: number
  /** Epoch milliseconds, for a Retry-After that names a date. */
  readonly clock?: () => number
}

/** The distributor's incoming leads. `send` never rejects: every result is a named outcome. */
export function makeDistributor(settings: DistributorSettings): Distributor {
  const { url, encoding, timeoutMs, clock = Date.now } = settings
  return {
    send: async (lead, idempotencyKey, signal) => {
      const { contentType, body } = encodeLead(lead, encoding)
      const result = await call({
        method: 'POST',
        url,
        headers: {
          'content-type': contentType,
          accept: 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body,
        timeoutMs,
        signal,
      })
      return outcomeOf(result, clock())
    },
  }
}

export type LeadEncoding = 'json' | 'form'

export interface EncodedLead {
  readonly contentType: string
  readonly body: string
}

/**
 * The values of a lead that a form can carry: texts, and groups of plain values. Anything else
 * would be lost in it, or mangled.
 */
type EncodedFields<Part> = {
  readonly [Name in keyof Part]: NonNullable<Part[Name]> extends object
    ? { readonly [Inner in keyof Part[Name]]: Scalar }
    : string
}
type Scalar = string | number | boolean | undefined

/**
 * `json`: the specification's object unchanged. `form`: its keys as the distributor's public
 * clients write them, `lead[firstname]=…` for what is in a group and `campaign_code=…` for what is
 * not.
 */
export function encodeLead(lead: DistributorLead, encoding: LeadEncoding): EncodedLead {
  if (encoding === 'json') return { contentType: 'application/json', body: JSON.stringify(lead) }
  const form = new URLSearchParams()
  for (const [key, value] of Object.entries(lead satisfies EncodedFields<DistributorLead>)) {
    if (typeof value === 'string') form.append(key, value)
    // As JSON leaves it out.
    else
      for (const [name, part] of Object.entries(value ?? {}))
        if (part !== undefined) form.append(`${key}[${name}]`, `${part}`)
  }
  return { contentType: 'application/x-www-form-urlencoded', body: form.toString() }
}
