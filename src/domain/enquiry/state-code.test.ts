import { expect, test } from 'vitest'
import { stateCode, stateName } from './state-code.ts'

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
])('%j is %s', (text, code) => expect(stateCode(text)).toBe(code))

test.each(['', ' ', 'XX', 'TE', 'ON', 'Ontario', 'Ala', 'F1L', 'constructor', '__proto__'])(
  '%j is no state',
  (text) => expect(stateCode(text)).toBeUndefined(),
)

test('each state has a name', () => {
  expect(stateName('FL')).toBe('Florida')
  expect(stateName('XX')).toBeUndefined()
})
