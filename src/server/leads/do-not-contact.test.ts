import { expect, test } from 'vitest'
import { hashContact } from './do-not-contact.ts'

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ａｄａ@example.com', 'ada@example.com'],
  ['J\u030C@example.com', 'ǰ@example.com'],
  ['zo\u00EB@bücher.example', 'ZOE\u0308@xn--bcher-kva.EXAMPLE'],
])('%s and %s are one entry', (one, other) => {
  expect(hashContact({ email: one })).toEqual(hashContact({ email: other }))
})

test('a dot or plus sign makes another entry', () => {
  const entries = ['adal@x.org', 'ada.l@x.org', 'adal+1@x.org'].flatMap((email) =>
    hashContact({ email }),
  )
  expect(new Set(entries).size).toBe(3)
})
