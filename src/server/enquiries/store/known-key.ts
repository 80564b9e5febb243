import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { contentOf } from '#domain/lead/lead-content.ts'
import { orUnreadable, readPayload } from '#server/leads/store/lead-payload.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { AcceptedLead, LeadArrival } from '../accept-enquiry.ts'

/** An enquiry that its visitor has changed after an earlier one was stored under the same key. */
interface Correction extends LeadArrival {
  /** The lead that came first. */
  readonly corrects: string
}

export type StorableArrival = LeadArrival | Correction

export const correctsOf = (arrival: StorableArrival): string | null =>
  'corrects' in arrival ? arrival.corrects : null

/** What has to be known of a lead that holds an idempotency key. */
export const knownColumns = [
  'id',
  'idempotency_key',
  'area',
  'email',
  'payload',
  'duplicate_of',
  'corrects',
  'erased_at',
] as const

export type KnownLead = Pick<Selectable<StoreTables['leads']>, (typeof knownColumns)[number]>

/**
 * For an arrival whose key another lead holds. With the same content it is that lead. With other content it
 * is another one, and is to be stored as its correction under a key that is made of both: so the one that comes again
 * meets itself, from whatever process. The content is compared, not a stored hash of it: of a lead of any version, and
 * nothing of an erased one is left to be guessed.
 */
export function resolveIdempotencyConflict(
  arrival: StorableArrival,
  known: KnownLead,
): { readonly repeats: AcceptedLead } | { readonly correction: Correction } {
  if ('corrects' in arrival || isSameContent(arrival, known)) {
    const { id, duplicate_of, corrects } = known
    // What an earlier try of this very call has stored is new to its visitor.
    const repeated = id !== arrival.lead.id
    return { repeats: { id, repeated, duplicateOf: duplicate_of, corrects } }
  }
  const idempotencyKey = `${arrival.idempotencyKey}/${hash('sha256', contentOf(arrival.lead))}`
  return { correction: { ...arrival, idempotencyKey, corrects: known.id } }
}

/** Of one that is erased, or cannot be read, nobody can say it: what comes then is kept. */
const isSameContent = ({ lead }: LeadArrival, { area, email, payload, erased_at }: KnownLead) =>
  erased_at === null &&
  orUnreadable(
    () => contentOf({ area, email, ...readPayload(payload) }) === contentOf(lead),
    () => false,
  )
