import { pino } from 'pino'
import { expect, test } from 'vitest'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { type CheckedEnquiry, isDisposableEmail, makeEnquirySubmitter } from './submit-enquiry.ts'

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

test.each([
  ['wakes the workers', null, 1],
  ['of a duplicate lead wakes nobody', 'another lead', 0],
] as const)('an enquiry %s', async (_, duplicateOf, wakeUps) => {
  let woken = 0
  const submit = makeEnquirySubmitter({
    intake: {
      accept: async ({ lead }) => ({ id: lead.id, repeated: false, duplicateOf, corrects: null }),
    },
    disclosure: () => 'I agree.',
    clock: () => 0,
    visitorIp: () => '203.0.113.7',
    findOrigin: () => 'https://site.example',
    log: pino({ level: 'silent' }),
    metrics: {
      countAccepted: () => undefined,
      countRefused: () => undefined,
      timeAccept: (run) => run(),
    },
    onDeliveryDue: () => {
      woken++
    },
  })
  const enquiry: CheckedEnquiry = {
    area: 'business',
    answers: exampleAnswers,
    program: { id: 8, active: true, name: 'M.B.A.', types: ['Business'], degreeType: 'Masters' },
    addressVerified: false,
    zipPlus4: undefined,
    subId: undefined,
    attribution: null,
    evidence: { network: 'quiet' },
  }
  await submit({ header: () => undefined, remoteAddress: '203.0.113.7' }, enquiry, 'key')
  expect(woken).toBe(wakeUps)
})
