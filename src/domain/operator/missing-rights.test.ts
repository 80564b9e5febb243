import { expect, test } from 'vitest'
import { missingRights } from './missing-rights.ts'

test.each([
  [
    'viewer',
    'Operators can release or reveal personal data; admins can erase. Your role is viewer.',
  ],
  ['operator', 'Admins can erase. Your role is operator.'],
  ['admin', undefined],
] as const)('a %s reads which roles may do more', (role, said) => {
  expect(missingRights(role, ['release leads', 'reveal a lead', 'erase leads'])).toBe(said)
})

test('names each action of one role once', () => {
  expect(missingRights('viewer', ['retry deliveries', 'settle deliveries', 'release leads'])).toBe(
    'Operators can retry, settle or release. Your role is viewer.',
  )
})
