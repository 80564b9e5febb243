import type { FixedLeadFields } from '#domain/lead/distributor-lead.ts'

/** The fixed values of "Lead as sent", for tests. */
export const exampleCampaign: FixedLeadFields = {
  campaignCode: 'campaign',
  signupUrl: 'https://example.com/',
  trustedFormUrl: 'https://cert.example.com/1',
  sentStartDateId: 'start',
  selfDirectedRatingId: 'rating',
  timeToCommitId: 'time',
}
