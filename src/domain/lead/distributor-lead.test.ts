import { describe, expect, it } from 'vitest'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { toDistributorLead } from './distributor-lead.ts'
import type { Lead } from './lead.ts'

const read = readCatalogue(new URL('../../../catalogue/programs.csv', import.meta.url))

function programNamed(name: string) {
  const found = read.ok ? read.programs.find((program) => program.name === name) : undefined
  if (found === undefined) throw new Error(`The catalogue has no ${name}.`)
  return found
}

const lead: Lead = {
  id: '0199f5a0-0000-7000-8000-000000000001',
  receivedAt: Date.UTC(2026, 11, 31, 23, 59),
  area: 'general',
  subId: 'aff-42',
  firstName: 'María',
  lastName: "O'Neil",
  phone: '9415550100',
  email: 'maria@example.com',
  address: '123 Main St',
  city: 'Sarasota',
  state: 'FL',
  zip: '34236',
  zipPlus4: '34236-5610',
  addressVerified: true,
  educationLevel: 791,
  graduatingYear: 2012,
  program: programNamed('M.B.A.'),
  startDate: 'immediately',
  gpc: false,
  openedAt: null,
  attribution: {
    first: { utm_source: 'google', gclid: 'click 1' },
    last: { referrer: 'x.example' },
  },
  consent: {
    text: 'I agree.',
    textHash: '0'.repeat(64),
    at: 0,
    ip: '203.0.113.7',
    userAgent: 'A browser',
    pageUrl: 'https://example.com/',
  },
}

/** The specification's "Lead as sent", in its field order. */
const sent = (programId: number, rnLicense: string, teachingLicense: string) => ({
  campaign_code: 'campaign',
  subId: 'aff-42',
  lead: {
    firstname: 'María',
    lastname: "O'Neil",
    phone1: '9415550100',
    email: 'maria@example.com',
    age: 32,
    ip: '198.51.100.1',
    test: false,
    media_type: 'noncallcenter',
    gender: 'F',
    signup_url: 'https://example.com/',
    service_trusted_form: 'https://cert.example.com/1',
  },
  lead_address: { address: '123 Main St', city: 'Sarasota', state: 'FL', zip: '34236' },
  lead_education: {
    grad_year: 2012,
    education_level_id: 791,
    program_id: programId,
    campus_id: 1687,
    start_date: 'start',
  },
  lead_background: { rn_license: rnLicense, teaching_license: teachingLicense },
  lead_custom_value: {
    self_directed_rating_wgu: 'rating',
    time_to_commit_to_education_wgu: 'time',
  },
  lead_consent: { tcpa_consent: 'Yes' },
})

const distributorLead = (changes: Partial<Lead>) =>
  toDistributorLead({ ...lead, ...changes }, exampleCampaign, '198.51.100.1')

describe.each([
  ['Business', 'M.B.A.', 8, 'FALSE', 'No'],
  ['Business, not Healthcare', 'M.B.A. Healthcare Management', 9, 'FALSE', 'No'],
  ['Business and Technology', 'B.S. IT Management', 4, 'FALSE', 'No'],
  ['Healthcare', 'B.S. Nursing (RN to BSN)', 15, 'TRUE', 'No'],
  ['Technology', 'B.S. Computer Science', 31, 'FALSE', 'No'],
  ['Healthcare and Technology', 'B.S. Health Information Management', 18, 'TRUE', 'No'],
  ['Healthcare, not Business', 'Master of Health Leadership', 20, 'TRUE', 'No'],
  ['Education', 'B.A. Elementary Ed', 43, 'FALSE', 'Yes'],
  ['the certificate', 'ELL Endorsement Prep (PreK–12)', 70, 'FALSE', 'Yes'],
])('%s: %s', (_, name, id, rnLicense, teachingLicense) => {
  const made = distributorLead({ program: programNamed(name) })
  const expected = sent(id, rnLicense, teachingLicense)

  it('is sent field for field', () => expect(made).toStrictEqual(expected))
  it('has its fields in the specified order, as JSON', () =>
    expect(JSON.stringify(made)).toBe(JSON.stringify(expected)))
})

it('leaves subId out if the visitor brought none', () => {
  const { subId: _, ...expected } = sent(8, 'FALSE', 'No')
  expect(distributorLead({ subId: null })).toStrictEqual(expected)
})

it('sends a program that is no longer on offer as it was when it was chosen', () => {
  const removedProgram = { ...lead.program, id: 999, types: ['Education'] as const }
  expect(distributorLead({ program: removedProgram })).toStrictEqual(sent(999, 'FALSE', 'Yes'))
})

it('is unchanged by JSON', () => {
  for (const subId of ['aff-42', null]) {
    expect(JSON.parse(JSON.stringify(distributorLead({ subId })))).toStrictEqual(
      distributorLead({ subId }),
    )
  }
})

it('sends nothing that the specification does not list', () => {
  const changed = distributorLead({
    id: '0199f5a0-0000-7000-8000-000000000002',
    area: 'business',
    addressVerified: false,
    startDate: 'four-to-six-months',
    gpc: true,
    consent: { ...lead.consent, ip: '203.0.113.8', userAgent: 'Another' },
  })
  expect(changed).toStrictEqual(distributorLead({}))
})

it.each([
  ['the last minute of 2026', Date.UTC(2026, 11, 31, 23, 59), 32],
  ['the first minute of 2027', Date.UTC(2027, 0, 1, 0, 0), 33],
])('takes the age from the year of receipt: %s', (_, receivedAt, age) =>
  expect(distributorLead({ receivedAt }).lead.age).toBe(age),
)
