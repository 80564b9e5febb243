import { describe, expect, it } from 'vitest'
import { formatPhone, formatZip, phoneNumber, tidyPhone } from './phone.ts'

it.each([
  ['a ZIP+4', '34236-5610', '34236'],
  ['a ZIP+4 without its hyphen', '342365610', '34236'],
  ['a space before the ZIP', ' 34236', '34236'],
  ['a state before the ZIP', 'FL 34236', '34236'],
  ['a letter at the end', '342x', '342'],
  ['a sixth digit, which stays visible', '342367', '342367'],
  ['only letters', 'abc', ''],
])('formats %s', (_, typed, shown) => expect(formatZip(typed)).toBe(shown))

const type = (before: string, text: string) =>
  [...text].reduce((shown, key) => formatPhone(shown + key), before)

const whole = '(941) 555-0100'
const states = [
  '(9',
  '(94',
  '(941',
  '(941) 5',
  '(941) 55',
  '(941) 555',
  '(941) 555-0',
  '(941) 555-01',
  '(941) 555-010',
  whole,
]

describe('typing digit by digit', () => {
  it('formats as far as there are digits', () => {
    const seen: string[] = []
    for (const key of '9415550100') seen.push(type(seen.at(-1) ?? '', key))
    expect(seen).toEqual(states)
  })

  it('gives the same states backwards with Backspace', () => {
    const seen = [whole]
    while (seen.at(-1) !== '') seen.push(formatPhone(seen.at(-1)?.slice(0, -1) ?? ''))
    expect(seen).toEqual([...states.toReversed(), ''])
  })

  it.each([
    ['an eleventh digit, which stays visible', '9415550100', '7', '(941) 555-01007'],
    ['a letter', '941', 'x', '(941'],
    ['the country code', '', '+19415550100', whole],
    ['the country code without a plus', '', '19415550100', whole],
  ])('%s', (_, before, text, expected) => expect(type(type('', before), text)).toBe(expected))
})

it.each([
  ['+1 941.555.0100', whole],
  ['1-941-555-0100', whole],
  ['(941) 555-0100 ext. 12', whole],
  ['+ (1) 941 555 0100', whole],
  ['\u202A+1\u00A0941\u2011555\u20110100\u202C', whole],
  ['9415550100123', '(941) 555-0100123'],
  ['no digits', ''],
])('formats the pasted number %s', (text, expected) => expect(formatPhone(text)).toBe(expected))

describe('a number of another country', () => {
  it.each([
    '+44 20 7946 0958',
    '+52 55 1234 5678',
    '+47 22 12 34 56',
    '011 44 20 7946 0958',
    '011442079460958',
  ])('%s stays as it is, typed, pasted or filled in, and is no number', (text) => {
    expect(type('', text)).toBe(text)
    expect(formatPhone(text)).toBe(text)
    expect(tidyPhone(` ${text}`)).toBe(text)
    expect(phoneNumber(text)).toBeUndefined()
  })

  it('can be deleted, and a U.S. number typed', () => {
    expect(formatPhone('01')).toBe('(01')
    expect(type('', '9415550100')).toBe(whole)
    expect(tidyPhone('+ 1 (941) 555-0100')).toBe(whole)
  })
})

it('keeps surplus digits visible and refuses them, whether typed, pasted or filled in', () => {
  const text = '9415550100123'
  for (const shown of [type('', text), formatPhone(text), tidyPhone(text)]) {
    expect(shown.replace(/\D/g, '')).toBe(text)
    expect(phoneNumber(shown)).toBeUndefined()
  }
})

it.each(['call me', '941-555-CALL', '941'])('%j stays as typed without JavaScript', (text) =>
  expect(tidyPhone(text)).toBe(text),
)

it.each([
  ['(941) 555-0100', '9415550100'],
  ['941.555.0100', '9415550100'],
  ['(941) 555-010', undefined],
  ['(941) 555-01000', undefined],
  ['941555010x0', undefined],
  ['', undefined],
])('phoneNumber(%j) is %j', (text, expected) => expect(phoneNumber(text)).toBe(expected))
