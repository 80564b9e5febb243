import { expect, test } from 'vitest'
import { cleanSubId } from './affiliate.ts'

test.each([
  ['partner 7', 'partner 7'],
  [' partner\u00007\u202e\u0085 ', 'partner7'],
  ['x'.repeat(300), 'x'.repeat(200)],
  [`${'x'.repeat(199)}😀`, 'x'.repeat(199)],
  [`${'x'.repeat(198)}😀`, `${'x'.repeat(198)}😀`],
  [`${'x'.repeat(199)} y`, 'x'.repeat(199)],
  ['\ud800', undefined],
  [' ', undefined],
  [undefined, undefined],
])('%j is kept as %j', (subId, kept) => {
  expect(cleanSubId(subId)).toBe(kept)
})
