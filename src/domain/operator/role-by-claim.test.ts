import { expect, test } from 'vitest'
import { findRoleByClaim } from './permissions.ts'

const meaning = { viewer: ['viewer'], operator: ['operator', 'desk'], admin: ['admin'] }
const roleOf = (claims: Record<string, unknown>, claim = 'roles') =>
  findRoleByClaim(claims, { claim, meaning })

test.each([
  ['one word', { roles: 'desk' }, 'operator'],
  ['several: the one that may most', { roles: ['viewer', 'admin', 'desk'] }, 'admin'],
  ['words of others among them', { roles: ['payroll', 'viewer'] }, 'viewer'],
])('reads a role from %s', (_, claims, role) => {
  expect(roleOf(claims)).toBe(role)
})

test.each([
  ['nothing', {}],
  ['an empty list', { roles: [] }],
  ['words that mean none', { roles: ['Admin', 'administrator', 'admin '] }],
  ['something else than words', { roles: [{ admin: true }, 1, null] }],
  ['what every object has', { roles: {} }],
])('%s gives no role', (_, claims) => {
  expect(roleOf(claims)).toBeUndefined()
})

test('a claim can lie within another, or have dots in its name', () => {
  expect(roleOf({ realm_access: { roles: ['viewer'] } }, 'realm_access.roles')).toBe('viewer')
  expect(roleOf({ 'https://example.edu/roles': ['admin'] }, 'https://example.edu/roles')).toBe(
    'admin',
  )
  expect(roleOf({ roles: 'admin' }, 'roles.constructor.name')).toBeUndefined()
})
