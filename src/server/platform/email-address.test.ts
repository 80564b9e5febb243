import { expect, test } from 'vitest'
import { toAsciiDomain, toEmailAddress } from './email-address.ts'

test.each([
  ['jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
  ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
  ['ada@faß.example', 'ada@xn--fa-hia.example'],
  ['Ada@Example.COM', 'Ada@Example.COM'],
  ['x@xn--bcher-kva.example', 'x@xn--bcher-kva.example'],
  ['ada@xn--ü', 'ada@xn--ü'],
  ['no address', 'no address'],
])('%s is normalized to %s', (typed, written) => {
  expect(toAsciiDomain(typed)).toBe(written)
})

test('both spellings of a domain are the same address', () => {
  expect(toEmailAddress(' Ada@BÜCHER.example')).toBe(toEmailAddress('ada@xn--bcher-kva.example'))
})
