import { expect, test } from 'vitest'
import { DistributorResponse } from './timeline.tsx'

test('a response that is hidden is not quoted', () => {
  expect(DistributorResponse({ words: 'Response hidden' })).toBe('Response hidden')
  expect(DistributorResponse({ words: 'Program is inactivated' })).toMatchObject({ type: 'q' })
})
