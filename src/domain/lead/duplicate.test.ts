import { expect, it } from 'vitest'
import { duplicateWindowMs, makeDedupeKey } from './duplicate.ts'

const program = {
  id: 8,
  name: 'M.B.A.',
  active: true,
  types: ['Business'],
  degreeType: 'Masters',
} as const
const lead = {
  email: 'maria@example.com',
  phone: '9415550100',
  program,
  firstName: 'Maria',
  lastName: 'Muñoz',
}

it.each([
  ['the same answers', {}],
  ['the email in capitals, with spaces', { email: ' Maria@Example.COM ' }],
  ['the name as a hurried thumb types it', { firstName: 'm', lastName: 'MUNOZ' }],
  ['a program that was renamed since', { program: { ...program, name: 'MBA' } }],
])('%s: the same enquiry', (_, change) =>
  expect(makeDedupeKey({ ...lead, ...change })).toBe(makeDedupeKey(lead)),
)

it.each([
  ['another email', { email: 'mario@example.com' }],
  ['another phone', { phone: '9415550101' }],
  ['another first name', { firstName: 'Ana' }],
  ['another last name', { lastName: 'Muñiz' }],
  ['another program', { program: { ...program, id: 9 } }],
])('%s: another enquiry', (_, change) =>
  expect(makeDedupeKey({ ...lead, ...change })).not.toBe(makeDedupeKey(lead)),
)

it('lasts 24 hours', () => expect(duplicateWindowMs).toBe(86_400_000))
