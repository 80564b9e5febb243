import type { Program } from '#domain/catalogue/catalogue.ts'
import { day } from '../durations.ts'
import type { Lead } from './lead.ts'
import { collectSent } from './stored-answers.ts'

/** Settings for the fixed values of “Lead as sent” that the specification does not show (reading 6). */
export interface FixedLeadFields {
  readonly campaignCode: string
  /** If undefined, `signup_url` is the home page of the site that the visitor used. */
  readonly signupUrl: string | undefined
  readonly trustedFormUrl: string
  readonly sentStartDateId: string
  readonly selfDirectedRatingId: string
  readonly timeToCommitId: string
}

/**
 * Builds the lead that the distributor receives, field for field the specification's “Lead as sent” (reading 7).
 * `storedAnswers` says where each answer is.
 * @param ip the visitor's IP address, as `chooseIp` returns it
 */
export function toDistributorLead(lead: Lead, settings: FixedLeadFields, ip: string) {
  return {
    campaign_code: settings.campaignCode,
    ...(lead.subId === null ? {} : { subId: lead.subId }),
    lead: {
      ...collectSent('lead', lead),
      age: estimateAge(new Date(lead.receivedAt).getUTCFullYear(), lead.graduatingYear),
      ip,
      /** True only for an operator's test lead: see {@link markLeadAsTest}. */
      test: false as boolean,
      media_type: 'noncallcenter',
      gender: 'F',
      signup_url: settings.signupUrl ?? `${lead.consent.pageUrl.split('/', 3).join('/')}/`,
      service_trusted_form: settings.trustedFormUrl,
    },
    lead_address: collectSent('lead_address', lead),
    lead_education: {
      ...collectSent('lead_education', lead),
      campus_id: 1687,
      start_date: settings.sentStartDateId,
    },
    lead_background: {
      rn_license: toRnLicense(lead.program),
      teaching_license: toTeachingLicense(lead.program),
    },
    lead_custom_value: {
      self_directed_rating_wgu: settings.selfDirectedRatingId,
      time_to_commit_to_education_wgu: settings.timeToCommitId,
    },
    lead_consent: { tcpa_consent: 'Yes' },
  } as const
}

export type DistributorLead = ReturnType<typeof toDistributorLead>

/** Marks a lead as a test: a distributor that knows the mark neither counts the lead nor pays for it. */
export const markLeadAsTest = (distributorLead: DistributorLead): DistributorLead => ({
  ...distributorLead,
  lead: { ...distributorLead.lead, test: true },
})

const ageAtGraduation = 18

/** Estimates the visitor's age, as if everybody graduated at 18. */
export const estimateAge = (currentYear: number, graduatingYear: number): number =>
  currentYear - graduatingYear + ageAtGraduation

/** The type Healthcare asserts that the visitor is a nurse, so few programs have this type (reading 5). */
export const toRnLicense = (program: Program): 'TRUE' | 'FALSE' =>
  program.types.includes('Healthcare') ? 'TRUE' : 'FALSE'

export const toTeachingLicense = (program: Program): 'Yes' | 'No' =>
  program.types.includes('Education') ? 'Yes' : 'No'

/** Returns the fallback address if the IP service answers with words such as "IP Not found" (reading 9). */
export const chooseIp = (lookedUpIp: string, fallbackIp: string): string =>
  /not found/i.test(lookedUpIp) ? fallbackIp : lookedUpIp

/** The longest plausible time that a form is open, in milliseconds. A bot or a changed clock reports longer times. */
const maxFormOpenMs = 30 * day

/**
 * Returns when a page was opened, by the server's clock; null if the reported time is implausible.
 *
 * @param openFor the time that the page was open, as the browser reports it, in milliseconds
 */
export function findPageOpeningTime(openFor: number | undefined, now: number): number | null {
  const isPlausible = openFor !== undefined && openFor >= 0 && openFor <= maxFormOpenMs
  return isPlausible ? Math.round(now - openFor) : null
}
