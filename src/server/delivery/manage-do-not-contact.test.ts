import { expect, test } from 'vitest'
import { describeStop, explainUnfinished } from './manage-do-not-contact.ts'

const result = { added: 2, known: 1, stopped: 3, sending: 0, sent: 1 }

test('a stop that gave up waiting asks for another, and any other tells what it did', () => {
  expect(explainUnfinished(result)).toBeUndefined()
  expect(explainUnfinished({ sending: 1 })).toBe(
    'The person is listed, but 1 call with a lead may still be under way. Select Stop contact again in a few minutes.',
  )
  expect(describeStop(result)).toBe(
    '2 listed, 1 listed before; 3 waiting leads not sent; 1 lead sent before',
  )
  expect(describeStop({ ...result, isPartial: true })).toContain('only the first 1,000 leads')
})
