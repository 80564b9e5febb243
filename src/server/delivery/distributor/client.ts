import { call } from '#server/platform/call/call.ts'
import type { Distributor } from '../deliver-leads.ts'
import { encodeLead, type LeadEncoding } from './encode-lead.ts'
import { outcomeOf } from './reply/outcome-of.ts'

export interface DistributorSettings {
  /** The incoming-leads endpoint. */
  readonly url: string
  readonly encoding: LeadEncoding
  /** Milliseconds, for the whole call. */
  readonly timeoutMs: number
  /** Epoch milliseconds, for a Retry-After that names a date. */
  readonly clock?: () => number
}

/** The distributor's incoming leads. `send` never rejects: whatever happens is a named outcome. */
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
