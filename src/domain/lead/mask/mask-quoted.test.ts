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

const inHex = (text: string) => Buffer.from(text).toString('hex')
const percents = (text: string) => inHex(text).replace(/../g, '%$&')
const inLines = (text: string) => text.replace(/.{64}/g, '$&  ')
const misread = (text: string) => Buffer.from(text).toString('latin1')

test.each([
  [`${percents('of ')}${percents('García')}, known`, `${percents('of ')}•••, known`],
  [`of ${percents(' Jo ')} known`, `of ${percents(' ')}•••${percents(' ')} known`],
  ['Garc%25C3%25ADa is known', '••• is known'],
  ['Garc%EDa is known', '••• is known'],
  ['Garc%u00eda is known', '••• is known'],
  ['Garc&amp;iacute;a is known', '••• is known'],
  ['Garc%26%23237%3Ba is known', '••• is known'],
  ['Jo&nbsp;known', '•••&nbsp;known'],
  ['Gar&shy;cía is known', '••• is known'],
  [String.raw`"lead:\nJo\n"`, String.raw`"lead:\n•••\n"`],
  [String.raw`Garc\u{ed}a is known`, '••• is known'],
  [String.raw`Garc\xc3\xada is known`, '••• is known'],
  [String.raw`Garc\303\255a is known`, '••• is known'],
  ['Garc=C3=ADa is known', '••• is known'],
  ['Garc=c3=ada is known', '••• is known'],
  ['=?UTF-8?Q?Garc=C3=ADa?= is known', '=?UTF-8?Q?•••?= is known'],
  ['Gar=  cía is known', '••• is known'],
  ['name=Jo is known', 'name=••• is known'],
  [`${misread('García')} is known`, '••• is known'],
  ['Garc?a is known', '••• is known'],
  ['Angelo is known', '••• is known'],
])('of Jo García D’Angelo, as it is escaped or misread: %s', (said, shown) => {
  expect(maskQuoted(said, called('Jo', 'García D’Angelo'))).toBe(shown)
})

test.each([
  [inHex('García'), '•••'],
  [base64('{\n\t"last": "García"\n}'), '•••'],
  [base64('of García, known').slice(0, -6), '•••'],
  [base64(base64('of García, known')), '•••'],
  [Buffer.from('of García, known', 'latin1').toString('base64'), '•••'],
  [Buffer.from('of Jo, known', 'utf16le').toString('base64'), '•••'],
  [`lead/${base64('of García')}`, '•••'],
  [`id_${base64('of García')}`, '•••'],
  [`v=${base64('Jo')}`, 'v=•••'],
  [inLines(base64(`${'x'.repeat(44)} García, who is known to us`)), '•••'],
  [`${inLines(base64(`${'x'.repeat(44)} García`))}duplicates`, '•••duplicates'],
  [`${base64('of Garcia is known').slice(0, -10)}…`, '•••…'],
])('of García, encoded: %s', (said, shown) => {
  expect(maskQuoted(said, called('Jo', 'García'))).toBe(shown)
})

test.each([
  ['it is of Garc…', 'it is of •••…'],
  ['it is of Jo Ga…', 'it is of •••…'],
  [String.raw`it is of Garc\u00…`, String.raw`it is of •••\u00…`],
  ['it is of Garc&iacu…', 'it is of •••…'],
  ['known: 941555…', 'known: •••…'],
  ['of jo.garc…', 'of •••…'],
  ['please wait…', 'please wait…'],
])('of what was cut off, the begin of a name: %s', (said, shown) => {
  const lead = called('Jo', 'García', { email: 'jo.garcia@example.com' })
  expect(maskQuoted(said, lead)).toBe(shown)
})

test.each([
  ['用户Li已存在', '用户•••已存在'],
  ['ผู้ใช้ชายมีอยู่แล้ว', '•••'],
  ['of Soerensen', 'of •••'],
  ['at=4711%u0020Zwiebelgasse', 'at=•••'],
  ['it is in 4711 …', 'it is in ••• …'],
  ['known: 8.8.8.8', 'known: •••'],
  ['of someone=40example.com', 'of •••'],
  [String.raw`known: \ud842\udfb7`, 'known: •••'],
])('%s', (said, shown) => {
  expect(maskQuoted(said, called('ชาย', 'Sørensen 𠮷', { street: '4711 Zwiebelgasse' }))).toBe(
    shown,
  )
})

test.each([
  '{"error":"cap reached"} status=403 code=40',
  'the leads are not stored, and are never sent again: I do.',
  'LEAD_REJECTED at com.example.leads.RejectedException(LeadService.java:42)',
  'duplicate-4bf9: nginx/1.18.0, AE of APO',
  '%7B%22error%22%3A%22cap%20reached%22%7D',
])('of Zoë, Søren, Dão and 李 nothing: %s', (said) => {
  for (const name of ['Zoë', 'Søren', 'Dão', 'Renée', '李']) {
    expect(maskQuoted(said, called(name, 'Quillfeather', { city: 'Bürgel' }))).toBe(said)
  }
})
