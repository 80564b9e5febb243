import { expect, test } from 'vitest'
import { classifySearch } from './person-search.ts'

test.each([
  ['019bc0de-7f31-7a52-8c8e-1f0a9e3c5b77', { term: 'reference' }],
  [' 019BC0DE-7F31-7A52-8C8E-1F0A9E3C5B77 ', { term: 'reference' }],
  ['019bc0de', { fault: 'part of a reference' }],
  ['019bc0de-7f31…', { fault: 'part of a reference' }],
  ['ada+lead@mail.example.com', { term: 'email' }],
  ['ada@bücher.example', { term: 'email' }],
  ['ada@example', { fault: 'part of an email address' }],
  ['ada@example.', { fault: 'part of an email address' }],
  ['ada lovelace@example.com', { fault: 'part of an email address' }],
  ['1 (941) 555-0199', { term: 'phone' }],
  ['941.555.0199', { term: 'phone' }],
  ['555-0199', { fault: 'part of a phone number' }],
  ['00441234567890', { fault: 'part of a phone number' }],
  ['7', { fault: 'part of a phone number' }],
  ['Lovelace', { term: 'name' }],
  ['de la Cruz', { term: 'name' }],
  ['O’Neill-Smith III', { term: 'name' }],
  ['Sandbox-Fail500', { term: 'name' }],
  ['Abbe', { term: 'name' }],
  ['Facade', { term: 'name' }],
  ['', { fault: 'empty' }],
  ['x'.repeat(255), { fault: 'too long' }],
  ['w '.repeat(11), { fault: 'too long' }],
])('%j is a %j', (text, expected) => {
  expect(classifySearch(text)).toEqual(expected)
})
