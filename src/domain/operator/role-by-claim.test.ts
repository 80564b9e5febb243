import { expect, test } from 'vitest'
import { roleByClaim } from './role-by-claim.ts'

const meaning = { viewer: ['viewer'], operator: ['operator', 'desk'], admin: ['admin'] }
const roleOf = (claims: Record<string, unknown>, claim = 'roles') =>
  roleByClaim(claims, { claim, meaning })

test.each([
  ['one word', { roles: 'desk' }, 'operator'],
  ['several: the one that may most', { roles: ['viewer', 'admin', 'desk'] }, 'admin'],
  ['words of others among them', { roles: ['payroll', 'viewer'] }, 'viewer'],
])('a role is what is said by %s', (_, claims, role) => {
  expect(roleOf(claims)).toBe(role)
})

test.each([
  ['nothing', {}],
  ['an empty list', { roles: [] }],
  ['words that mean none', { roles: ['Admin', 'administrator', 'admin '] }],
  ['something else than words', { roles: [{ admin: true }, 1, null] }],
  ['what every object has', { roles: {} }],
])('%s is no role', (_, claims) => {
  expect(roleOf(claims)).toBeUndefined()
})

test('a claim lies within another, or has dots in its name', () => {
  expect(roleOf({ realm_access: { roles: ['viewer'] } }, 'realm_access.roles')).toBe('viewer')
  expect(roleOf({ 'https://example.edu/roles': ['admin'] }, 'https://example.edu/roles')).toBe(
    'admin',
  )
  expect(roleOf({ roles: 'admin' }, 'roles.constructor.name')).toBeUndefined()
})
