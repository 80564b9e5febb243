import { expect, test } from 'vitest'
import { makeAddressNotice } from './messages.ts'

test('a failed address call is reported with the visitor’s next step, and nothing else', () => {
  expect(makeAddressNotice({ kind: 'address-call' })).toMatchObject({
    summary: 'Unable to validate address',
    detail:
      'Error validating address: the address service is not available right now. Please enter or check your city and state, then select Next.',
    isSticky: true,
  })
})

test('an invalid address has the specification’s message', () => {
  const message = 'Invalid zip code: please enter another value.'
  expect(makeAddressNotice({ kind: 'invalid-address', message })).toMatchObject({ detail: message })
})
