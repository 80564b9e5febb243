import { expect, it } from 'vitest'
import { emptyEnquiry, uncheckedAddress } from '#domain/enquiry/enquiry.ts'
import { parseDraft, setShownDisclosure } from './draft.ts'

const answers = { ...emptyEnquiry.answers, firstName: 'Ada', zip: '34236' }
const draft = {
  step: 2,
  answers,
  addressCheck: { ...emptyEnquiry.addressCheck, checkedFor: '1 Palm Ave|34236', by: 'check' },
  key: 'a-key',
  questionedContact: 'ada@gmial.com 9415550100',
}

it('reads a stored draft', () => {
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft)
})

it('fills in fields that an earlier version did not store', () => {
  const old = { step: 1, answers: { firstName: 'Ada' }, addressCheck: {} }
  expect(parseDraft(JSON.stringify(old))).toEqual({
    ...emptyEnquiry,
    step: 1,
    answers: { ...emptyEnquiry.answers, firstName: 'Ada' },
  })
})

it('keeps the answers of a draft from 0.2, whose address is checked again', () => {
  const { addressCheck: _, ...old } = draft
  expect(parseDraft(JSON.stringify(old))).toEqual({ ...draft, addressCheck: uncheckedAddress })
})

it('keeps the answers of a draft from 0.3.0 that have other names today', () => {
  const { educationLevel: _, programId: __, ...same } = answers
  const former = { ...same, previousEducation: '790', desiredProgram: '8' }
  expect(parseDraft(JSON.stringify({ ...draft, answers: former }))).toEqual({
    ...draft,
    answers: { ...answers, educationLevel: '790', programId: '8' },
  })
})

it('ignores values of other types, and unknown fields', () => {
  const malformed = {
    ...draft,
    key: 7,
    answers: { ...answers, firstName: { toString: 1 }, other: 'x' },
  }
  expect(parseDraft(JSON.stringify(malformed))).toEqual({
    ...draft,
    key: '',
    answers: { ...answers, firstName: '' },
  })
})

it.each([
  JSON.stringify({ ...draft, step: '0' }),
  JSON.stringify({ ...draft, step: 'length' }),
  null,
  '',
  'x',
  'null',
  '[]',
  '{}',
  '{"step":4}',
  '{"step":-1}',
  '{"step":1,"answers":null,"addressCheck":{}}',
])('is undefined for %j', (stored) => {
  expect(parseDraft(stored)).toBeUndefined()
})

it('keeps a consent only beside the text that the visitor has agreed to', () => {
  setShownDisclosure('a-text')
  const agreed = { ...draft, answers: { ...answers, confirmation: 'on' } }
  expect(parseDraft(JSON.stringify({ ...agreed, disclosure: 'a-text' }))).toEqual(agreed)
  for (const other of [{ disclosure: 'another-text' }, {}])
    expect(parseDraft(JSON.stringify({ ...agreed, ...other }))).toEqual(draft)
})
