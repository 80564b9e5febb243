import { expect, test } from 'vitest'
import { formatCallDuration, formatDuration } from './time-formats.ts'

test.each([
  [0, 'less than a second'],
  [-5, 'less than a second'],
  [12, 'less than a second'],
  [999, 'less than a second'],
  [1000, '1 s'],
  [252_000, '4 m 12 s'],
  [3_600_000, '1 h'],
  [3_660_000, '1 h 1 m'],
  [90_061_000, '1 d 1 h'],
])('%d ms is %s', (ms, words) => expect(formatDuration(ms)).toBe(words))

test.each([
  [-5, '0 ms'],
  [45.4, '45 ms'],
  [15_000, '15 s'],
])('a call of %d ms takes %s', (ms, words) => expect(formatCallDuration(ms)).toBe(words))
