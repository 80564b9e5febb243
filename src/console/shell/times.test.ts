import { expect, test } from 'vitest'
import { formatDuration } from './times.tsx'

test.each([
  [0, '0 ms'],
  [-5, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [252_000, '4 m 12 s'],
  [3_600_000, '1 h'],
  [3_660_000, '1 h 1 m'],
  [90_061_000, '1 d 1 h'],
])('%d ms is %s', (ms, words) => expect(formatDuration(ms)).toBe(words))
