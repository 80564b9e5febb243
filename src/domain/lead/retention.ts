import { day } from '../durations.ts'

/**
 * The number of years for which we keep the proof of consent. The FTC's Telemarketing Sales Rule requires five years
 * (16 CFR 310.5). Claims under the TCPA expire after four years (28 USC 1658).
 */
export const consentRetentionYears = 5

/** The maximum number of days for which a lead's answers may be kept: as long as the proof of consent. */
export const maxRetentionDays = consentRetentionYears * 365

/** The retention period has ended for leads and consents that were received before these times (epoch milliseconds). */
export interface RetentionLimits {
  readonly leadsBefore: number
  readonly consentsBefore: number
}

/** @param days the number of days for which a lead's answers are kept */
export function findRetentionLimits(now: number, days: number): RetentionLimits {
  const consentsBefore = new Date(now)
  consentsBefore.setUTCFullYear(consentsBefore.getUTCFullYear() - consentRetentionYears)
  return { leadsBefore: now - days * day, consentsBefore: consentsBefore.getTime() }
}
