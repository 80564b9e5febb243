import type { DistributorLead } from '#domain/lead/distributor-lead.ts'

/** A complete lead of a made-up person. */
export const exampleDistributorLead = (lastname = 'Okafor'): DistributorLead => ({
  campaign_code: 'CAMPAIGN-1',
  subId: 'affiliate-7',
  lead: {
    firstname: 'Maribel',
    lastname,
    phone1: '9415550123',
    email: 'maribel.okafor@example.com',
    age: 31,
    ip: '203.0.113.7',
    test: false,
    media_type: 'noncallcenter',
    gender: 'F',
    signup_url: 'https://degrees.example/business',
    service_trusted_form: 'https://cert.trustedform.com/0123abcd',
  },
  lead_address: { address: '77 Ringling Blvd', city: 'Sarasota', state: 'FL', zip: '34236' },
  lead_education: {
    grad_year: 2013,
    education_level_id: 790,
    program_id: 12,
    campus_id: 1687,
    start_date: 'START-1-3',
  },
  lead_background: { rn_license: 'FALSE', teaching_license: 'No' },
  lead_custom_value: {
    self_directed_rating_wgu: 'RATING-1',
    time_to_commit_to_education_wgu: 'TIME-1',
  },
  lead_consent: { tcpa_consent: 'Yes' },
})
