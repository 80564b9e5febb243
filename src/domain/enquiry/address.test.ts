import { describe, expect, it } from 'vitest'
import {
  type AddressDoubt,
  addressKey,
  questionAbout,
  verifiedAddress,
  withStreet,
} from './address.ts'
import { type Enquiry, newEnquiry, noAnswers } from './enquiry.ts'

describe('the question about a street', () => {
  const askAbout = (typed: string, found: string[], ...doubts: AddressDoubt[]) =>
    questionAbout(typed, found, doubts)

  it('is not asked if the service has no doubt, however it writes the street', () => {
    expect(askAbout('1 Palm Avenue', ['1 Palm Ave'])).toBeUndefined()
  })

  it('offers a correction, unless only the spelling of the same street differs', () => {
    expect(askAbout('123 Mian St', ['123 Main St'], 'street-corrected')).toEqual({
      about: 'street',
      suggestion: '123 Main St',
    })
    expect(askAbout('123 main st.', ['123 Main St'], 'street-corrected')).toBeUndefined()
    expect(askAbout('12 Oak', ['12 Oak St', 'Apt 3'], 'street-corrected')).toEqual({
      about: 'street',
      suggestion: '12 Oak St Apt 3',
    })
  })

  it('asks first about a correction, then about an unknown street, then for the unit', () => {
    expect(askAbout('1 Oak St', ['1 Oak St'], 'unit-missing')).toEqual({ about: 'unit' })
    const newRoad = { about: 'street', suggestion: '1 New Rd' }
    expect(askAbout('1 Nwe Rd', ['1 New Rd'], 'unit-missing', 'street-corrected')).toEqual(newRoad)
    expect(askAbout('1 New Rd', ['1 New Rd'], 'street-unknown')).toEqual({ about: 'street' })
    expect(askAbout('1 Nwe Rd', ['1 New Rd'], 'street-unknown', 'street-corrected')).toEqual(
      newRoad,
    )
  })
})

describe('the reply', () => {
  const answers = {
    ...noAnswers,
    address: '123 Mian St',
    zip: '34236',
    city: 'Sarasota',
    state: 'FL',
  }
  const asked: Enquiry = {
    ...newEnquiry,
    step: 1,
    answers,
    addressCheck: {
      ...newEnquiry.addressCheck,
      checkedFor: addressKey(answers),
      zipPlus4: '34236-5610',
    },
  }
  const sent = ({ answers, addressCheck }: Enquiry) => ({
    address: answers.address,
    ...verifiedAddress(answers, addressCheck),
  })

  it('an accepted suggestion is verified, with its ZIP+4', () => {
    expect(sent(asked)).toEqual({ address: '123 Mian St', addressVerified: false })
    expect(sent(withStreet(asked, '123 Main St'))).toEqual({
      address: '123 Main St',
      addressVerified: true,
      zipPlus4: '34236-5610',
    })
  })

  it('a suggestion for a changed ZIP is checked again', () => {
    const changed = { ...asked, answers: { ...answers, zip: '99501' } }
    expect(withStreet(changed, '123 Main St')).toMatchObject({
      answers: { address: '123 Main St' },
      addressCheck: { checkedFor: '123 Mian St|34236', by: 'nobody' },
    })
  })
})
