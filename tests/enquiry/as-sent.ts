import { expect } from 'vitest'
import type { Answers } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { findStepErrors, normalizeAnswers } from '#domain/enquiry/rules.ts'
import type { Attribution } from '#domain/lead/attribution.ts'
import { toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { decodeLead } from '#sandbox/lead-ledger.ts'
import { encodeLead } from '#server/delivery/distributor-client.ts'
import { makeLead } from '#server/enquiries/submit-enquiry.ts'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { exampleAnswers } from './example-answers.ts'

export const facts = { currentYear: 2026, isOffered: () => true }
const program = { id: 8, name: 'M.B.A.', active: true, types: [], degreeType: 'Masters' } as const

/** Turns the form's fields into the stored lead. */
export function asStored(typed: Partial<Answers>, attribution: Attribution | null = null): Lead {
  const answers = normalizeAnswers({ ...exampleAnswers, ...typed })
  for (const step of steps) expect(findStepErrors(step, answers, facts)).toEqual({})
  const chosen = { ...program, id: Number(answers.programId) }
  const enquiry = { area: 'general', answers, program: chosen, addressVerified: false } as const
  const lead = makeLead(
    { ...enquiry, zipPlus4: undefined, subId: undefined, attribution },
    { ip: '', userAgent: '', pageUrl: '', gpc: false },
    Date.UTC(2026, 10, 22),
    'I agree.',
  )
  return { ...lead, id: 'id' }
}

/** Turns the form's fields into the data that the distributor reads, which is equal in both encodings. */
export function asSent(typed: Partial<Answers>) {
  const wire = toDistributorLead(asStored(typed), exampleCampaign, '203.0.113.7')
  const [json, form] = (['json', 'form'] as const).map((encoding) => {
    const { body, contentType } = encodeLead(wire, encoding)
    return decodeLead(body, contentType)
  })
  expect(json).toEqual(wire)
  expect(form).toMatchObject({ lead: { lastname: wire.lead.lastname, email: wire.lead.email } })
  return wire
}
