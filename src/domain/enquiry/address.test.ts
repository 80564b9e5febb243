import { describe, expect, it } from 'vitest'
import {
  type AddressDoubt,
  applyQuestionReply,
  findAddressVerification,
  makeAddressKey,
  makeAddressQuestion,
  type QuestionReply,
} from './address.ts'
import { emptyAnswers } from './answers.ts'
import { type Enquiry, emptyEnquiry } from './enquiry.ts'

describe('the question about a street', () => {
  const questionFor = (typed: string, found: string[], ...doubts: AddressDoubt[]) =>
    makeAddressQuestion(typed, found, doubts)

  it('is absent if the service has no doubt', () => {
    expect(questionFor('1 Palm Avenue', ['1 Palm Ave'])).toBeUndefined()
  })

  it('offers a correction, unless only the spelling of the same street differs', () => {
    expect(questionFor('123 Mian St', ['123 Main St'], 'street-corrected')).toEqual({
      suggestion: '123 Main St',
    })
    expect(questionFor('123 main st.', ['123 Main St'], 'street-corrected')).toBeUndefined()
    expect(questionFor('12 Oak', ['12 Oak St', 'Apt 3'], 'street-corrected')).toEqual({
      suggestion: '12 Oak St Apt 3',
    })
  })

  it('asks for the unit, alone or with a correction', () => {
    expect(questionFor('1 Oak St', ['1 Oak St'], 'unit-missing')).toEqual({ asksForUnit: true })
    expect(questionFor('1 Oka St', ['1 Oak St'], 'street-corrected', 'unit-missing')).toEqual({
      suggestion: '1 Oak St',
      asksForUnit: true,
    })
  })

  it('asks whether an unknown street is right, unless there is a correction', () => {
    expect(questionFor('1 New Rd', ['1 New Rd'], 'street-unknown')).toEqual({
      isStreetUnknown: true,
    })
    expect(questionFor('1 Nwe Rd', ['1 New Rd'], 'street-unknown', 'street-corrected')).toEqual({
      suggestion: '1 New Rd',
    })
  })
})

describe('a reply', () => {
  const answers = {
    ...emptyAnswers,
    address: '123 Mian St',
    zip: '34236',
    city: 'Sarasota',
    state: 'FL',
  }
  const questioned: Enquiry = {
    ...emptyEnquiry,
    step: 1,
    answers,
    addressCheck: {
      ...emptyEnquiry.addressCheck,
      checkedFor: makeAddressKey(answers),
      zipPlus4: '34236-5610',
    },
  }
  const reply = (changes: Partial<QuestionReply>, enquiry = questioned) =>
    applyQuestionReply(enquiry, { suggestion: '', unit: '', ...changes })
  const sent = ({ answers, addressCheck }: Enquiry) => ({
    address: answers.address,
    ...findAddressVerification(answers, addressCheck),
  })

  it('without an answer changes nothing', () => {
    expect(reply({ unit: '  ' })).toEqual(questioned)
    expect(sent(questioned)).toEqual({ address: '123 Mian St', addressVerified: false })
  })

  it('that accepts the suggestion makes the address verified, with its ZIP+4', () => {
    expect(sent(reply({ suggestion: '123 Main St' }))).toEqual({
      address: '123 Main St',
      addressVerified: true,
      zipPlus4: '34236-5610',
    })
  })

  it.each([
    ['4B', '123 Main St Unit 4B'],
    ['B', '123 Main St Unit B'],
    ['#4', '123 Main St #4'],
    ['Apt 4', '123 Main St Apt 4'],
    ['apt. 4', '123 Main St apt. 4'],
  ])('adds the unit %s to the street, without the building’s ZIP+4', (unit, address) => {
    expect(sent(reply({ suggestion: '123 Main St', unit }))).toEqual({
      address,
      addressVerified: true,
    })
  })

  it('about a street that the visitor has changed leaves the new street unchecked', () => {
    const changed = { ...questioned, answers: { ...answers, address: '9 Elm St' } }
    expect(reply({ unit: '4' }, changed)).toMatchObject({
      answers: { address: '9 Elm St Unit 4' },
      addressCheck: { checkedFor: '123 Mian St|34236' },
    })
  })
})
