import { expect, test } from 'vitest'
import { isDisposableEmail } from './submit-enquiry.ts'

test.each([
  'ada@mailinator.com',
  'Ada@MAILINATOR.com',
  'ada@box.mailinator.com',
  '"a@b"@yopmail.com',
])('%s is disposable', (email) => {
  expect(isDisposableEmail(email)).toBe(true)
})

test.each([
  'ada@example.com',
  'mailinator.com@gmail.com',
  'ada@no-mailinator.com',
  'ada@mailinator.com.example.org',
  // Relay services with which people hide their private address are not disposable.
  'ada@icloud.com',
  'ada@privaterelay.appleid.com',
  'ada@mozmail.com',
  'ada@duck.com',
  'no address',
  '',
])('“%s” is not', (email) => {
  expect(isDisposableEmail(email)).toBe(false)
})
