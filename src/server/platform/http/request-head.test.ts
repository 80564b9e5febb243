import { expect, test } from 'vitest'
import { isGpcValue } from './request-head.ts'

test.each([
  ['1', true],
  ['1, 1', true],
  ['0, 1', true],
  [undefined, false],
  ['', false],
  ['0', false],
  ['true', false],
  ['11', false],
  ['1;x', false],
])('Sec-GPC: %s asks not to sell: %s', (value, asks) => expect(isGpcValue(value)).toBe(asks))
