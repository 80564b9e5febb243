import { expect, test } from 'vitest'
import { missingRights } from './missing-rights.ts'

test.each([
  ['viewer', 'An operator releases or reveals whose it is; an admin erases. Your role is viewer.'],
  ['operator', 'An admin erases. Your role is operator.'],
  ['admin', undefined],
] as const)('a %s is told who does what they may not', (role, said) => {
  expect(missingRights(role, ['release leads', 'reveal a lead', 'erase leads'])).toBe(said)
})

test('of several acts of one role each is named once', () => {
  expect(missingRights('viewer', ['retry deliveries', 'settle deliveries', 'release leads'])).toBe(
    'An operator retries, settles or releases. Your role is viewer.',
  )
})
