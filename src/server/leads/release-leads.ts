import type { LeadCount, LeadPlace } from './find-leads.ts'

/** What became of the wish to let a lead out of quarantine. */
export type ReleaseOutcome =
  /** Its delivery is due now. */
  | { readonly kind: 'due' }
  /** Its person has asked for the same program by another enquiry, which counts (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string }
  | { readonly kind: 'not quarantined' }
  /** There is nothing left to send. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }

/** For the audit. */
export const releaseInAudit = ({ kind }: ReleaseOutcome): string =>
  kind === 'due' || kind === 'duplicate' ? kind : `not done: ${kind}`

export interface LeadQuarantine {
  /** @param now epoch milliseconds */
  release(leadId: string, now: number): Promise<ReleaseOutcome>
  /** The oldest of those that nobody has decided about, after that place; undefined where there is none. */
  next(after: LeadPlace | undefined): Promise<LeadPlace | undefined>
  /** How many of them there are, as far as one counts them. */
  count(after: LeadPlace | undefined): Promise<LeadCount>
}
