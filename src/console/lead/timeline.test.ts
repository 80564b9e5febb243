import { expect, test } from 'vitest'
import { DistributorResponse } from './timeline.tsx'

test('a response that is hidden is not quoted', () => {
  expect(DistributorResponse({ text: 'Response hidden' })).toBe('Response hidden')
  expect(DistributorResponse({ text: 'Program is inactivated' })).toMatchObject({ type: 'q' })
})
