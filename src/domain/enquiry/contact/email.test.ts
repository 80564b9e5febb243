import { describe, expect, it } from 'vitest'
import { isEmail } from './email.ts'

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
    'RFC 3696, with its errata: what people do have before the @',
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
    'people’s own',
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
    'what the HTML standard takes beyond RFC 5322',
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
])('takes those of %s', (_, addresses) => {
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
    'what the HTML standard leaves out of RFC 5322, as hardly a mail system takes it',
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
