import { expect, test } from 'vitest'
import { faultWords, ToldFault } from './told-fault.ts'

test('a fault in what the operator wrote is told in its words alone', () => {
  const words = 'The configuration needs to be corrected:\n  - content/business.yaml, line 4: …\n'
  expect(faultWords(new ToldFault(words))).toBe(words)
})

test('a mistake in the code is told with the line that it is on', () => {
  expect(faultWords(new TypeError('x is not a function'))).toMatch(
    /^TypeError: x is not a function\n.*told-fault\.test\.ts:\d+/,
  )
})

test('what is no error is told, too', () => {
  expect(faultWords('gone')).toBe('gone')
})
