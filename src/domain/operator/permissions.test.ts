import { describe, expect, test } from 'vitest'
import {
  checkPermission,
  type Permission,
  permissions,
  type Role,
  roles,
  stepUpLifetime,
} from './permissions.ts'

/** The test repeats the permissions by hand, so that nobody changes one by accident. */
const allowed: Readonly<Record<Permission, string>> = {
  'see the overview': 'viewer operator admin',
  'see leads': 'viewer operator admin',
  'see deliveries': 'viewer operator admin',
  'see the funnel': 'viewer operator admin',
  'see returns': 'viewer operator admin',
  'import returns': 'operator admin',
  'test alerts': 'operator admin',
  'see affiliates': 'viewer operator admin',
  'see statements': 'viewer operator admin',
  'see ad spend': 'viewer operator admin',
  'change ad spend': 'operator admin',
  'close statements': 'admin, again',
  'change the revenue': 'admin, again',
  'see jobs': 'viewer operator admin',
  'save a view': 'viewer operator admin',
  'change your sign-in': 'viewer operator admin, again',
  'reveal a lead': 'operator admin',
  'search for a person': 'operator admin',
  'retry deliveries': 'operator admin',
  'settle deliveries': 'operator admin',
  'release leads': 'operator admin',
  'pause deliveries': 'operator admin',
  'run jobs': 'operator admin',
  'share a view': 'operator admin',
  'remove others’ views': 'admin',
  'see the audit log': 'operator admin',
  'export the audit log': 'admin, again',
  'export leads': 'admin, again',
  'erase leads': 'admin, again',
  'see caps': 'operator admin',
  'change caps': 'admin',
  'see webhooks': 'viewer operator admin',
  'change webhooks': 'admin, again',
  'change affiliates': 'admin, again',
  'see do not contact': 'operator admin',
  'stop contact': 'operator admin',
  'allow contact again': 'admin, again',
  'see operators': 'admin',
  'manage operators': 'admin, again',
}

const now = 1_800_000_000_000
const judgeAfter = (role: Role, action: Permission, ms: number) =>
  checkPermission({ role, lastAuthenticatedAt: now - ms }, action, now)

describe.each(permissions)('%s', (action) => {
  const [who = '', again] = allowed[action].split(', ')
  test.each(roles)('by a %s', (role) => {
    const isAllowed = who.split(' ').includes(role)
    expect(judgeAfter(role, action, stepUpLifetime)).toBe(isAllowed ? 'allowed' : 'not allowed')
    const later = again ? 'step up' : 'allowed'
    expect(judgeAfter(role, action, stepUpLifetime + 1)).toBe(isAllowed ? later : 'not allowed')
  })
})

test('a sign-in in the future does not count as recent', () => {
  expect(judgeAfter('admin', 'erase leads', -60_000)).toBe('allowed')
  expect(judgeAfter('admin', 'erase leads', -60_001)).toBe('step up')
})
