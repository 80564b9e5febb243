import { expect, it } from 'vitest'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { addressKey } from '../address/settled-address.ts'
import { type Enquiry, newEnquiry } from '../enquiry.ts'
import { pointOut } from './point-out.ts'

const checkedFor = addressKey(exampleAnswers)
const sent: Enquiry = {
  ...newEnquiry,
  step: 3,
  answers: exampleAnswers,
  addressCheck: { ...newEnquiry.addressCheck, checkedFor, by: 'check', zipPlus4: '34236-5610' },
}

it('leads to the first step with an error, and says nothing of the later ones', () => {
  const errors = { graduatingYear: 'a year', email: 'an address', zip: 'a ZIP' }
  expect(pointOut(sent, errors)).toEqual({
    enquiry: { ...sent, step: 0 },
    errors: { email: 'an address' },
  })
})

it.each([{ state: 'a state' }, { city: 'a city' }, { city: 'a city', zip: 'a ZIP' }])(
  'shows city and state where one of them needs the visitor: %j',
  (errors) => {
    expect(pointOut(sent, errors)).toEqual({
      enquiry: {
        ...sent,
        step: 1,
        addressCheck: { ...newEnquiry.addressCheck, checkedFor, by: 'hand' },
      },
      errors,
    })
  },
)

it('stays where it is without an error on a field', () => {
  expect(pointOut(sent, {})).toEqual({ enquiry: sent, errors: {} })
})
