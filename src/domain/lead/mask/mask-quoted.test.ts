import { expect, test } from 'vitest'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { maskQuoted } from './mask-quoted.ts'

const { lead } = exampleArrival({ email: 'zoe@example.com', firstName: 'Zoë', city: 'Li' })

test.each([
  ['Reached the monthly offer cap', 'Reached the monthly offer cap'],
  ['no: ZOE@EXAMPLE.COM', 'no: •••'],
  ['no: zoe%40example.com!', 'no: •••!'],
  ['duplicate of zoe o&#39;neill', 'duplicate of •••'],
  ['{"name":"Zo\\u00eb O\'Neill"}', '{"name":"•••"}'],
  ['Zo%C3%AB+ONEILL', '•••'],
  ['phone (941) 555-0100 is known', 'phone (••• is known'],
  ['1 Palm  Avenue, Li: 34236', '•••'],
  ['from 203.0.113.7', 'from •••'],
  ['client list of Li', 'client list of •••'],
  ['call 212-555-0199 or write to help@school.example', 'call ••• or write to •••'],
  ['&bogus; %zz %ff \\u &#999999;', '&bogus; %zz %ff \\u &#999999;'],
])('%s', (said, shown) => {
  expect(maskQuoted(said, lead)).toBe(shown)
})
