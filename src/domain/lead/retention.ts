/**
 * The number of years for which the proof of consent is kept. The FTC's Telemarketing Sales Rule requires five years (16
 * CFR 310.5), and a claim under the TCPA can be brought for four (28 U.S.C. 1658).
 */
export const consentRetentionYears = 5

/** A lead's answers may be kept no longer than its proof of consent. */
export const maxRetentionDays = consentRetentionYears * 365

/** Leads and consents received before these times have passed their retention period. Times are epoch milliseconds. */
export interface RetentionLimits {
  readonly leadsBefore: number
  readonly consentsBefore: number
}

const dayMs = 24 * 60 * 60 * 1000

/** @param days the number of days that a lead's answers are kept */
export function findRetentionLimits(now: number, days: number): RetentionLimits {
  const consentsBefore = new Date(now)
  consentsBefore.setUTCFullYear(consentsBefore.getUTCFullYear() - consentRetentionYears)
  return { leadsBefore: now - days * dayMs, consentsBefore: consentsBefore.getTime() }
}
