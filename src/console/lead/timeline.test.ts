import { expect, test } from 'vitest'
import { DistributorWords } from './timeline.tsx'

test('a response that is hidden is not quoted', () => {
  expect(DistributorWords({ words: 'Response hidden' })).toBe('Response hidden')
  expect(DistributorWords({ words: 'Program is inactivated' })).toMatchObject({ type: 'q' })
})
