import { expect, test } from 'vitest'
import { findStateCode, findStateName } from './state-code.ts'

test.each([
  ['Alaska', 'AK'],
  ['Arizona', 'AZ'],
  ['Nevada', 'NV'],
  ['Maine', 'ME'],
  ['Missouri', 'MO'],
  ['texas', 'TX'],
  ['  new   YORK ', 'NY'],
  ['N.Y.', 'NY'],
  ['Hawai‘i', 'HI'],
  ['fl', 'FL'],
  ['D.C.', 'DC'],
  ['Washington, D.C.', 'DC'],
  ['Washington', 'WA'],
  ['District of Columbia', 'DC'],
  ['Puerto Rico', 'PR'],
  ['U.S. Virgin Islands', 'VI'],
  ['Guam', 'GU'],
  ['Armed Forces Europe', 'AE'],
  ['AA', 'AA'],
  ['ap', 'AP'],
])('%j is %s', (text, code) => expect(findStateCode(text)).toBe(code))

test.each(['', ' ', 'XX', 'TE', 'ON', 'Ontario', 'Ala', 'F1L', 'constructor', '__proto__'])(
  '%j is no state',
  (text) => expect(findStateCode(text)).toBeUndefined(),
)

test('each state has a name', () => {
  expect(findStateName('FL')).toBe('Florida')
  expect(findStateName('XX')).toBeUndefined()
})
