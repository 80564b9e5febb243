import type { LeadCount, LeadPlace } from './find-leads.ts'

/** The result of releasing a lead from quarantine. */
export type ReleaseOutcome =
  /** Its delivery is due now. */
  | { readonly kind: 'due' }
  /** Its person has asked for the same program by another enquiry, which counts (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string }
  | { readonly kind: 'not quarantined' }
  /** The lead's data are gone, so it cannot be sent. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }

/** For the audit. */
export const releaseInAudit = ({ kind }: ReleaseOutcome): string =>
  kind === 'due' || kind === 'duplicate' ? kind : `not done: ${kind}`

export interface LeadQuarantine {
  /** @param now epoch milliseconds */
  release(leadId: string, now: number): Promise<ReleaseOutcome>
  /** The oldest undecided lead after that place; undefined if there is none. */
  next(after: LeadPlace | undefined): Promise<LeadPlace | undefined>
  /** How many of them there are, as far as one counts them. */
  count(after: LeadPlace | undefined): Promise<LeadCount>
}
