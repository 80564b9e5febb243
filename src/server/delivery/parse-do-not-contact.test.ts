import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseDoNotContact, parseTypedContact } from './parse-do-not-contact.ts'

const sha256 = (text: string) => hash('sha256', text)
const email = 'ada@example.com'
const phone = '9415550100'

describe('a list’s values are those of the form', () => {
  test.each([
    ['no headings', `${email}\n${phone}`],
    ['a mobile column', `Email,Mobile\n${email},+1 (941) 555-0100`],
    ['a cell column, and a column of notes', `Note,E-mail,cell_phone\ncalled us,${email},${phone}`],
    ['a hash column', `sha256\n${sha256(email).toUpperCase()}\n${sha256(phone)}`],
    ['a dot at the end', `${email}.\n${phone}`],
    ['invisible characters', `a\u200Bd\u00ADa@example.com\u0000\n941\u200B5550100\u0000`],
    ['digits of another script', `${email}\n９４１-555-0100`],
    ['apostrophes of an export', `${email}\n'+1 941 555 0100`],
  ])('%s', async (_, file) => {
    const { hashes, faults } = await parseDoNotContact(file)
    expect(faults).toEqual([])
    expect(hashes).toEqual([sha256(email), sha256(phone)])
  })
})

describe('no file protects only a part of its people', () => {
  test.each([
    ['a first line with an address', `${email},emailed us\nbea@example.com,`, '“emailed us” is no'],
    ['a first line with a mistyped address', 'x@,hash\nbea@example.com,', '“x@” is no'],
    ['a first line with a mistyped number', '941-555-010,by phone', '“941-555-010” is no'],
    ['two addresses in a cell', `email\n"${email};bea@example.com"`, 'is no email address'],
    ['an address without an ending', `email\nada${phone}@example`, 'is no email address'],
    ['a foreign number', 'phone\n+44 9415550100', 'is no email address'],
    ['an MD5 hash with 10 digits', `${'a'.repeat(22)}1234567890`, 'is an MD5 or SHA-1 hash'],
    ['an unused column of numbers', `Email,Cancelled\n${email},${phone}`, 'column “Cancelled” has'],
    ['an unused column of hashes', `Email,Key\n${email},${sha256(phone)}`, 'column “Key” has'],
    ['an unused column of texts', `Email,Note\n${email},also <b@x.org>`, 'column “Note” has'],
    ['a word within a heading', `Emailed?,Has phone\n${email},${phone}`, 'column “Has phone” has'],
    ['only such a heading', `Customer email\n${email}`, 'column “Customer email” has'],
    ['a column without a heading', `Email\n${email},${phone}`, 'column 2 has'],
    ['only unknown headings', `Contact\n${email}`, '“Contact” is no'],
  ])('%s', async (_, file, message) => {
    const { faults } = await parseDoNotContact(file)
    expect(faults[0]?.message).toContain(message)
  })
})

test('a column is refused once, with the headings that count', async () => {
  const file = `Email,Number\n${email},${phone}\nbea@example.com,9415550101`
  expect((await parseDoNotContact(file)).faults).toEqual([
    {
      line: 2,
      message:
        'the column “Number” has an address, number or hash: rename or remove the column (headings that count begin with email, phone, mobile, cell, sha256 or hash)',
    },
  ])
})

test('a typed person is read like the form’s values', () => {
  expect(parseTypedContact({ email: ' a\u200Bda@example.com. ', phone: '1-941-555-0100' })).toEqual(
    {
      contact: { email, phone },
      errors: {},
    },
  )
  const wrong = parseTypedContact({ email: `${email};b@x.org`, phone: email })
  expect(Object.keys(wrong.errors)).toEqual(['email', 'phone'])
  expect(wrong.contact).toEqual({})
})
