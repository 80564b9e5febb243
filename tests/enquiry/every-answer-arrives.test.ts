import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { LeadAnswers } from '#console/lead/lead-answers.tsx'
import { type Answers, type Field, fields } from '#domain/enquiry/answers.ts'
import { clickIdParams, touchParts } from '#domain/lead/attribution.ts'
import { toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { maskLead } from '#domain/lead/mask-lead.ts'
import { serializeContent } from '#domain/lead/stored-answers.ts'
import { leadExportColumns } from '#server/leads/export-columns.ts'
import { readPayload, serializePayload } from '#server/leads/lead-payload.ts'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { asSent, asStored } from './as-sent.ts'
import { exampleAnswers } from './example-answers.ts'

/** Another answer to each question, except the consent, which every enquiry needs. */
const others: Omit<Answers, 'confirmation'> = {
  firstName: 'Grace',
  lastName: 'Hopper',
  phone: '(941) 555-0101',
  email: 'grace@example.com',
  address: '2 Palm Avenue',
  zip: '34237',
  city: 'Tampa',
  state: 'GA',
  educationLevel: '790',
  graduatingYear: '2013',
  programId: '12',
  startDate: 'one-to-three-months',
}

/** The distributor's format has fixed values for these fields (reading 7). */
const notSent: readonly Field[] = ['startDate']

/** For each of these answers, exactly the stored data and the data that the distributor gets. */
const exact: Readonly<
  Record<keyof typeof others, { readonly stored: object; readonly sent: object }>
> = {
  firstName: { stored: { firstName: 'Grace' }, sent: { lead: { firstname: 'Grace' } } },
  lastName: { stored: { lastName: 'Hopper' }, sent: { lead: { lastname: 'Hopper' } } },
  phone: { stored: { phone: '9415550101' }, sent: { lead: { phone1: '9415550101' } } },
  email: { stored: { email: 'grace@example.com' }, sent: { lead: { email: 'grace@example.com' } } },
  address: {
    stored: { address: '2 Palm Avenue' },
    sent: { lead_address: { address: '2 Palm Avenue' } },
  },
  zip: { stored: { zip: '34237' }, sent: { lead_address: { zip: '34237' } } },
  city: { stored: { city: 'Tampa' }, sent: { lead_address: { city: 'Tampa' } } },
  state: { stored: { state: 'GA' }, sent: { lead_address: { state: 'GA' } } },
  educationLevel: {
    stored: { educationLevel: 790 },
    sent: { lead_education: { education_level_id: 790 } },
  },
  graduatingYear: {
    stored: { graduatingYear: 2013 },
    sent: { lead: { age: 31 }, lead_education: { grad_year: 2013 } },
  },
  programId: { stored: { program: { id: 12 } }, sent: { lead_education: { program_id: 12 } } },
  startDate: {
    stored: { startDate: 'one-to-three-months' },
    sent: { lead_education: { start_date: 'start' } },
  },
}

/** The stored and sent data for `exampleAnswers`, so that two swapped answers cannot go unnoticed. */
const exactExample = {
  stored: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone: '9415550100',
    email: 'ada@example.com',
    address: '1 Palm Avenue',
    zip: '34236',
    city: 'Sarasota',
    state: 'FL',
    educationLevel: 791,
    graduatingYear: 2012,
    program: { id: 8 },
    startDate: 'immediately',
  },
  sent: {
    campaign_code: 'campaign',
    lead: {
      firstname: 'Ada',
      lastname: 'Lovelace',
      phone1: '9415550100',
      email: 'ada@example.com',
      age: 32,
      ip: '203.0.113.7',
      test: false,
      media_type: 'noncallcenter',
      gender: 'F',
      signup_url: 'https://example.com/',
      service_trusted_form: 'https://cert.example.com/1',
    },
    lead_address: { address: '1 Palm Avenue', city: 'Sarasota', state: 'FL', zip: '34236' },
    lead_education: {
      grad_year: 2012,
      education_level_id: 791,
      program_id: 8,
      campus_id: 1687,
      start_date: 'start',
    },
    lead_background: { rn_license: 'FALSE', teaching_license: 'No' },
    lead_custom_value: {
      self_directed_rating_wgu: 'rating',
      time_to_commit_to_education_wgu: 'time',
    },
    lead_consent: { tcpa_consent: 'Yes' },
  },
}

/** Fields that identify nobody, so viewers without access to personal data may see them. */
const notPersonal: readonly Field[] = [
  'state',
  'educationLevel',
  'graduatingYear',
  'programId',
  'startDate',
]

const exported = (lead: Lead) => {
  const record = {
    lead,
    status: 'pending',
    duplicateOf: null,
    signals: [],
    quarantinedAt: null,
    releasedAt: null,
    releasedDespite: null,
    corrects: null,
    correctedBy: [],
    delivery: null,
    returned: null,
  } as const
  return leadExportColumns.map(({ read }) => read(record, 'UTC'))
}

/** The places where an answer must appear after its enquiry was accepted. */
const places: Readonly<Record<string, (lead: Lead) => unknown>> = {
  'the store': (lead) => readPayload(serializePayload(lead)).answers,
  'what tells one enquiry from another': serializeContent,
  'the console': (lead) => renderToStaticMarkup(createElement(LeadAnswers, { lead })),
  'the export, and “leads show”': exported,
}

const changed = Object.entries(others) as [keyof typeof others, string][]

describe.each(changed)('another answer for %s', (field, answer) => {
  const before = asStored({})
  const lead = asStored({ [field]: answer })

  // The email address has a column of its own.
  const stored = field === 'email' ? { ...places, 'the store': ({ email }: Lead) => email } : places
  test.each(Object.entries(stored))('is seen in %s', (_, seenIn) => {
    expect(seenIn(lead)).not.toEqual(seenIn(before))
  })

  test(notSent.includes(field) ? 'is not sent, by decision' : 'is sent', () => {
    const isSent = JSON.stringify(asSent({ [field]: answer })) !== JSON.stringify(asSent({}))
    expect(isSent).toBe(!notSent.includes(field))
  })

  test('is stored and sent with its exact value', () => {
    expect(lead).toMatchObject(exact[field].stored)
    expect(asSent({ [field]: answer })).toMatchObject(exact[field].sent)
  })

  const told = (Object.keys(lead) as (keyof Lead)[]).filter(
    (part) => JSON.stringify(lead[part]) !== JSON.stringify(before[part]),
  )
  if (notPersonal.includes(field)) {
    test('is visible to viewers, because it is not personal', () => {
      for (const part of told) expect(maskLead(lead)[part]).toEqual(lead[part])
    })
    return
  }

  test('is masked for viewers', () => {
    for (const part of told) expect(maskLead(lead)[part]).not.toEqual(lead[part])
  })
})

test('the example answers are stored and sent with their exact values', () => {
  expect(asStored({})).toMatchObject(exactExample.stored)
  expect(asSent({})).toEqual(exactExample.sent)
})

test('the tests answer every question in two different ways', () => {
  expect(Object.keys(others)).toEqual(fields.filter((field) => field !== 'confirmation'))
  for (const [field, answer] of changed) expect(exampleAnswers[field]).not.toBe(answer)
})

describe.each(touchParts)('the %s of a touch', (part) => {
  const value = 'x.example/1'
  const isClickId = clickIdParams.some((param) => param === part)
  const lead = asStored({}, { first: { [part]: value }, last: {} })
  const other = asStored({}, { first: {}, last: {} })

  test('is in the store, the export and “leads show”', () => {
    expect(readPayload(serializePayload(lead)).answers?.attribution?.first).toEqual({
      [part]: value,
    })
    expect(exported(lead)).toContain(value)
  })

  test(`is shown on the console${isClickId ? ' among the technical details, once revealed' : ''}`, () => {
    const facts = renderToStaticMarkup(createElement(LeadAnswers, { lead }))
    expect(facts.includes(value)).toBe(!isClickId)
    expect(maskLead(lead).attribution?.first[part]).toBe(isClickId ? '•••' : value)
  })

  test('never reaches the distributor, and doesn’t make a repeated enquiry a new one', () => {
    const send = (of: Lead) => JSON.stringify(toDistributorLead(of, exampleCampaign, ''))
    expect(send(lead)).toBe(send(other))
    expect(serializeContent(lead)).toBe(serializeContent(other))
  })
})
