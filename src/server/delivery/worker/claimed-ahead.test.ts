import { expect, test } from 'vitest'
import { ClaimedAhead } from './claimed-ahead.ts'

test('of a thousand slots no claim takes more than a statement can carry', () => {
  const ahead = new ClaimedAhead(1000)
  for (let attempt = 0; attempt < 100; attempt++) ahead.took(10)
  expect(ahead.wanted(1000)).toBe(1000)
})
