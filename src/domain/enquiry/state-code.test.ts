import { expect, test } from 'vitest'
import { isStateCode } from './state-code.ts'

test.each(['FL', 'fl', 'DC', 'PR', 'AE'])('%j is a state', (text) =>
  expect(isStateCode(text)).toBe(true),
)

test.each(['', 'XX', 'Ontario', 'Florida', 'F L', 'AL AK', '__proto__'])('%j is no state', (text) =>
  expect(isStateCode(text)).toBe(false),
)
