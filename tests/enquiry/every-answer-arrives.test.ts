import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { leadFacts } from '#cli/leads/lead-facts.ts'
import { LeadFacts } from '#console/lead/lead-facts.tsx'
import { type Answers, type Field, fields } from '#domain/enquiry/answers.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { contentOf } from '#domain/lead/lead-content.ts'
import { maskLead } from '#domain/lead/mask/mask-lead.ts'
import { maskQuoted } from '#domain/lead/mask/mask-quoted.ts'
import { payloadOf, readPayload } from '#server/store/leads/lead-payload.ts'
import { exportColumns } from '#server/use-cases/leads/export/export-columns.ts'
import { asSent, asStored } from './as-sent.ts'
import { exampleAnswers } from './example-answers.ts'

/** Another answer to each question; that the consent is given is what an enquiry is sent with at all. */
const others: Omit<Answers, 'confirmation'> = {
  firstName: 'Grace',
  lastName: 'Hopper',
  phone: '(941) 555-0101',
  email: 'grace@example.com',
  address: '2 Palm Avenue',
  zip: '34237',
  city: 'Tampa',
  state: 'GA',
  previousEducation: '790',
  graduatingYear: '2013',
  desiredProgram: '12',
  startDate: 'one-to-three-months',
}

/** The wire has fixed values for them (docs/decisions/0017). */
const notSent: readonly Field[] = ['startDate']

/** They name nobody: whoever may not see the person sees them whole. */
const notPersonal: readonly Field[] = [
  'state',
  'previousEducation',
  'graduatingYear',
  'desiredProgram',
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
    corrects: null,
    correctedBy: [],
    delivery: null,
  } as const
  return exportColumns.map(({ read }) => read(record))
}

/** Where an answer is to be found, once its enquiry was accepted. */
const places: Readonly<Record<string, (lead: Lead) => unknown>> = {
  'the store': (lead) => readPayload(payloadOf(lead)),
  'what tells one enquiry from another': contentOf,
  'leads -- show': leadFacts,
  'the console': (lead) => renderToStaticMarkup(createElement(LeadFacts, { lead })),
  'the export': exported,
}

const changed = Object.entries(others) as [keyof typeof others, string][]

describe.each(changed)('another answer for %s', (field, answer) => {
  const before = asStored({})
  const lead = asStored({ [field]: answer })

  // The address of mail has a column of its own.
  const stored = field === 'email' ? { ...places, 'the store': ({ email }: Lead) => email } : places
  test.each(Object.entries(stored))('is seen in %s', (_, seenIn) => {
    expect(seenIn(lead)).not.toEqual(seenIn(before))
  })

  test(notSent.includes(field) ? 'is not sent, by decision' : 'is sent', () => {
    const isSent = JSON.stringify(asSent({ [field]: answer })) !== JSON.stringify(asSent({}))
    expect(isSent).toBe(!notSent.includes(field))
  })

  const told = (Object.keys(lead) as (keyof Lead)[]).filter(
    (part) => JSON.stringify(lead[part]) !== JSON.stringify(before[part]),
  )
  if (notPersonal.includes(field)) {
    test('is shown to who may not see the person, by decision', () => {
      for (const part of told) expect(maskLead(lead)[part]).toEqual(lead[part])
    })
    return
  }

  test('is masked for who may not see the person', () => {
    for (const part of told) expect(maskLead(lead)[part]).not.toEqual(lead[part])
  })

  test('is masked where the distributor quotes it', () => {
    const texts = told.map((part) => lead[part]).filter((value) => typeof value === 'string')
    for (const text of texts) {
      expect(maskQuoted(`we know ${text} from before`, lead)).not.toContain(text)
    }
  })
})

test('every question is followed, from an answer that is not its other one', () => {
  expect(Object.keys(others)).toEqual(fields.filter((field) => field !== 'confirmation'))
  for (const [field, answer] of changed) expect(exampleAnswers[field]).not.toBe(answer)
})
