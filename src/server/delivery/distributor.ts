import type { DistributorLead } from '#domain/lead/distributor-lead.ts'
import { sendRequest } from '#server/platform/call/http-call.ts'
import type { Distributor } from './deliver-leads.ts'
import { classifyResult } from './distributor-reply.ts'

export interface DistributorSettings {
  /** The URL of the distributor's incoming-leads endpoint. */
  readonly url: string
  readonly encoding: LeadEncoding
  /** The limit for the whole call, in milliseconds. */
  readonly timeoutMs: number
  /** Epoch milliseconds, for a Retry-After header with a date. */
  readonly clock?: () => number
}

/** Makes the client of the distributor. `send` never rejects: every result is a named outcome. */
export function makeDistributor(settings: DistributorSettings): Distributor {
  const { url, encoding, timeoutMs, clock = Date.now } = settings
  return {
    send: async (lead, idempotencyKey, signal) => {
      const { contentType, body } = encodeLead(lead, encoding)
      const result = await sendRequest({
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
      return classifyResult(result, clock())
    },
  }
}

export type LeadEncoding = 'json' | 'form'

export interface EncodedLead {
  readonly contentType: string
  readonly body: string
}

/** The values of a lead that a form can carry: strings, and groups of scalars. */
type EncodedFields<Part> = {
  readonly [Name in keyof Part]: NonNullable<Part[Name]> extends object
    ? { readonly [Inner in keyof Part[Name]]: Scalar }
    : string
}
type Scalar = string | number | boolean | undefined

/**
 * Encodes a lead. `json` sends the specification's object unchanged. `form` names fields as the distributor's public
 * clients do: `lead[firstname]=…` for fields in a group and `campaign_code=…` for others.
 */
export function encodeLead(lead: DistributorLead, encoding: LeadEncoding): EncodedLead {
  if (encoding === 'json') return { contentType: 'application/json', body: JSON.stringify(lead) }
  const form = new URLSearchParams()
  for (const [key, value] of Object.entries(lead satisfies EncodedFields<DistributorLead>)) {
    if (typeof value === 'string') form.append(key, value)
    // Undefined values are left out, as in JSON.
    else
      for (const [name, part] of Object.entries(value ?? {}))
        if (part !== undefined) form.append(`${key}[${name}]`, `${part}`)
  }
  return { contentType: 'application/x-www-form-urlencoded', body: form.toString() }
}
