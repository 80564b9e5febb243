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

const several = {
  ...lead,
  firstName: 'Mary Ann',
  lastName: 'García-López',
  phone: '9415550100',
  street: '123 Palm Avenue',
  email: 'ada.lovelace@example.com',
}

test.each([
  ['duplicate of GARCIA', 'duplicate of •••'],
  ['Mary López is known', '••• is known'],
  ['known: Garc&iacute;a L&oacute;pez', 'known: •••'],
  ['123 Palm Ave was not found', '••• Ave was not found'],
  ['call 555 0100, or 212 555 0199', 'call ••• or •••'],
  ['12 of 40 were sent', '12 of 40 were sent'],
  ['nobody lives in palm', 'nobody lives in •••'],
  ['an avenue that is unknown', 'an avenue that is unknown'],
  ['write to lovelace, no 7', 'write to •••, no 7'],
])('a part of a name, and what is written with gaps: %s', (said, shown) => {
  expect(maskQuoted(said, several)).toBe(shown)
})

const called = (firstName: string, lastName: string, more: Partial<typeof lead> = {}) => ({
  ...lead,
  firstName,
  lastName,
  ...more,
})

test.each([
  ['Reached the monthly offer cap for program', 'Reached the monthly offer cap for program'],
  ['it may be a duplicate', 'it may be a duplicate'],
  ['May Sandbox-Cap is known', '••• is known'],
  ['known: may cap', 'known: •••'],
  ['known: May', 'known: •••'],
  ['CAP is known', '••• is known'],
  ['of may@example.com', 'of •••'],
  ['maycap is no name', 'maycap is no name'],
])('who is called as an ordinary word is named by it where it is a name: %s', (said, shown) => {
  expect(maskQuoted(said, called('May', 'Sandbox-Cap'))).toBe(shown)
})

test.each([
  ['wrong channel', 'wrong •••'],
  ['planned for anne99', '••• for •••'],
  ['by-anne, or Anne’s', 'by-•••, or •••’s'],
])(
  'what a name is in goes as a whole, as the rest of the word would tell the name: %s',
  (said, shown) => {
    expect(maskQuoted(said, called('Anne', 'Lu'))).toBe(shown)
  },
)

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['of someone%40example.com', 'of •••'],
  ['of someone&#64;example.com', 'of •••'],
  ['of someone%2540example.com', 'of •••'],
  [String.raw`of someone\u0040example.com`, 'of •••'],
  ['of someone＠example.com', 'of •••'],
  ['call 212 - 555 - 0199 now', 'call ••• now'],
  ['call 212  555  0199 now', 'call ••• now'],
  ['call ２１２ ５５５ ０１９９ now', 'call ••• now'],
  [`token=${base64('someone@example.com')}`, 'token=•••'],
])('another person’s address or number, however it is written: %s', (said, shown) => {
  expect(maskQuoted(said, several)).toBe(shown)
})

test.each([
  [base64('{"last":"García-López"}'), '•••'],
  ['monthlyOffersAreUsedUp', 'monthlyOffersAreUsedUp'],
  ['ＧＡＲＣＩＡ is known', '••• is known'],
  ['9415550100 as ９４１５５５０１００', '••• as •••'],
])('of the person, encoded or in another width: %s', (said, shown) => {
  expect(maskQuoted(said, several)).toBe(shown)
})

test.each([
  ['Sorensen, Lukasz', 'Łukasz', 'Sørensen', '•••'],
  ['by STRASSE and Mueller', 'Müller', 'Straße', 'by ••• and •••'],
  ['known: JoLi', 'Jo', 'Li', 'known: •••'],
  ['known: 李', '明', '李', 'known: •••'],
  ['用户李明已存在', '明', '李', '•••'],
  ['known: ΝΙΚΟΣ', 'Νίκος', 'Wu', 'known: •••'],
  ['𠮷𠮷𠮷 of Anne, known', 'Anne', 'Wu', '𠮷𠮷𠮷 of •••, known'],
  ['known: 𠮷', '𠮷', 'Wu', 'known: •••'],
  ['Li\u0301n, client', 'Li', 'Wu', 'Li\u0301n, client'],
  ['{"first":"will","last":"long"}', 'Will', 'Long', '{"first":"•••","last":"•••"}'],
  ['first=will&last=long', 'Will', 'Long', 'first=•••&last=•••'],
  ['known: will', 'Will', 'Long', 'known: •••'],
  ['it will not', 'Will', 'Long', 'it will not'],
])('%s, of %s %s', (said, firstName, lastName, shown) => {
  expect(maskQuoted(said, called(firstName, lastName))).toBe(shown)
})
