import { describe, expect, it, test } from 'vitest'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { advanceStep } from './advance-step.ts'
import type { Answers } from './answers.ts'
import { isEmail, suggestEmail } from './contact.ts'
import { emptyEnquiry } from './enquiry.ts'

const long = (count: number) => 'x'.repeat(count)

describe.each<[string, string[]]>([
  [
    'RFC 5321',
    ['Smith@bar.com', 'Jones@foo.com', 'userc@d.bar.org', 'userx@y.foo.org', 'JQP@bar.com'],
  ],
  [
    'RFC 5322, appendix A',
    [
      'jdoe@machine.example',
      'mary@example.net',
      '1234@local.machine.example',
      'john.q.public@example.com',
      'mary@x.test',
      'boss@nil.test',
      'sysservices@example.net',
      'pete@silly.test',
      'c@public.example',
    ],
  ],
  [
    'RFC 3696, with its errata: unusual names before the @',
    [
      'user+mailbox@example.com',
      'customer/department=shipping@example.com',
      '$A12345@example.com',
      '!def!xyz%abc@example.com',
      '_somename@example.com',
    ],
  ],
  [
    'the atoms of RFC 5322, one by one',
    [..."!#$%&'*+-/=?^_`{|}~"].map((sign) => `a${sign}b@example.com`),
  ],
  [
    'real people',
    [
      "o'brien@example.com",
      'a&b@example.com',
      'a@b.co',
      'x@my--site.com',
      'x@xn--bcher-kva.example',
      'x@1and1.com',
      'x@3.14.example',
      'x@a-b.c-d.example.museum',
      'ADA.LOVELACE@EXAMPLE.COM',
    ],
  ],
  [
    'the HTML standard beyond RFC 5322',
    ['.a@example.com', 'a.@example.com', 'a..b@example.com', '--@example.com'],
  ],
  [
    'RFC 6531: letters of every script',
    [
      'jörg@bücher.example',
      '用户@例子.广告',
      'अजय@डाटा.भारत',
      'коля@пример.рф',
      'квіточка@пошта.укр',
      'θσερ@εχαμπλε.ψομ',
      'Dörte@Sörensen.example.com',
      'علی@مثال.ایران',
      'ผู้ใช้@ตัวอย่าง.ไทย',
    ],
  ],
  ['the longest label', [`a@${long(63)}.example`]],
])('accepts addresses of %s', (_, addresses) => {
  it.each(addresses)('%s', (address) => expect(isEmail(address)).toBe(true))
})

describe.each<[string, string[]]>([
  [
    'half an address',
    ['', 'ada', 'ada@', '@example.com', 'ada@.com', 'ada@example.', 'ada@@example.com'],
  ],
  ['no dot in the domain', ['ada@example', 'root@localhost', 'ada@com']],
  [
    'a domain that no host may have',
    [
      'ada@-example.com',
      'ada@example-.com',
      'ada@example..com',
      'ada@exam_ple.com',
      'ada@example.com-',
      'ada@example.c$m',
      `ada@${long(64)}.com`,
      'ada@☃.example',
    ],
  ],
  [
    'forms of RFC 5322 that the HTML standard omits',
    [
      '"Abc@def"@example.com',
      '"Fred Bloggs"@example.com',
      '"Joe\\\\Blow"@example.com',
      'jdoe@[192.168.1.1]',
      'jdoe@[IPv6:2001:db8::1]',
      'pete(his account)@silly.test',
      'john . public@example.com',
    ],
  ],
  [
    'more than the address',
    [
      'Ada <ada@example.com>',
      '<ada@example.com>',
      'mailto:ada@example.com?subject=x',
      'ada@example.com, bob@example.com',
      'ada@example.com;bob@example.com',
      'ada@example.com bob@example.com',
      'ada@exa\u00A0mple.com',
      'ada\n@example.com',
      'ada\u202E@example.com',
    ],
  ],
  ['an @ of another width', ['ada＠example.com']],
])('refuses %s', (_, addresses) => {
  it.each(addresses)('"%s"', (address) => expect(isEmail(address)).toBe(false))
})

it.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  ['ada@gmal.com', 'ada@gmail.com'],
  ['ada@gmial.con', 'ada@gmail.com'],
  ['ada@gmaill.com', 'ada@gmail.com'],
  ['ada@gmail.con', 'ada@gmail.com'],
  ['Ada.L@Hotmial.com', 'Ada.L@hotmail.com'],
  ['ada@yaho.com', 'ada@yahoo.com'],
])('%s: did you mean %s?', (typed, meant) => {
  expect(suggestEmail(typed)).toBe(meant)
})

it.each([
  'ada@gmail.com',
  'ada@mail.com',
  'ada@ms.co',
  'ada@hotmail.co.uk',
  'ada@example.edu',
  'ada@',
  'ada',
  '@gmial.com',
  '',
])('suggests nothing for "%s"', (typed) => {
  expect(suggestEmail(typed)).toBeUndefined()
})

it('a text that stays wrong after the correction gets no suggestion', () => {
  expect(suggestEmail('Rosa <rosa@yahoo.com>')).toBeUndefined()
})

const dependencies = {
  ruleContext: { currentYear: 2026, isOffered: () => true },
  services: { lookUpZip: () => Promise.reject(), validateAddress: () => Promise.reject() },
}
const at = (typed: Partial<Answers>) => ({
  ...emptyEnquiry,
  answers: { ...exampleAnswers, ...typed },
})

test.each<[Partial<Answers>, object]>([
  [{ email: 'ada@gmial.com' }, { meantEmail: 'ada@gmail.com' }],
  [{ phone: '0000000000' }, { isPhoneOdd: true }],
  [{ phone: '(141) 555-0100' }, { isPhoneOdd: true }],
  [{ phone: '(941) 155-0100' }, { isPhoneOdd: true }],
  [
    { phone: '(041) 555-0100', email: 'ada@gmail.co' },
    { isPhoneOdd: true, meantEmail: 'ada@gmail.com' },
  ],
])('the form asks once about %j, and never refuses it', async (typed, question) => {
  const first = await advanceStep(at(typed), dependencies)
  expect(first).toMatchObject({ enquiry: { step: 0 }, errors: {} })
  expect(first.question).toEqual(question)
  const again = await advanceStep(first.enquiry, dependencies)
  expect(again.enquiry.step).toBe(1)
  expect(again.question).toBeUndefined()
  // The visitor goes back and makes another typing error.
  const other = {
    ...again.enquiry,
    step: 0,
    answers: { ...again.enquiry.answers, email: 'a@yaho.com' },
  }
  expect((await advanceStep({ ...other, step: 0 }, dependencies)).question).toHaveProperty(
    'meantEmail',
  )
})

test.each<Partial<Answers>>([{}, { email: 'ada@mail.com' }, { phone: '(200) 200-0000' }])(
  'the form does not ask about %j',
  async (typed) => {
    expect((await advanceStep(at(typed), dependencies)).enquiry.step).toBe(1)
  },
)
