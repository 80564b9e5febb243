import { expect, test } from 'vitest'
import { encodeLead } from './encode-lead.ts'
import { exampleWireLead } from './example-wire-lead.ts'
import { makeExcerpt } from './reply-excerpt.ts'

const excerpt = makeExcerpt(exampleWireLead())
const personal = /Maribel|Okafor|9415550123|example\.com|203\.0\.113|Ringling|Sarasota|34236/i

test('keeps what the distributor says', () => {
  expect(excerpt('Reached the monthly offer cap for program 12')).toBe(
    'Reached the monthly offer cap for program 12',
  )
})

test('masks emails and runs of digits of anybody', () => {
  expect(excerpt('call (941) 555-0199 or a.b+c@mail.example, ip 10.20.30.40')).toBe(
    'call (***) ***-*** or ***, ip ***',
  )
})

test('masks the values of the lead, however they are spaced', () => {
  expect(excerpt('MARIBEL okafor of 77  Ringling, Blvd is known')).toBe('*** *** of *** is known')
})

test('does not mask a single word of a longer name', () => {
  expect(makeExcerpt(exampleWireLead('Cap-Price'))('over the cap, CAP PRICE')).toBe(
    'over the cap, ***',
  )
})

test.each(['json', 'form'] as const)('an echo of the %s request shows nobody', (encoding) => {
  const { body } = encodeLead(exampleWireLead(), encoding)
  expect(excerpt(body)).not.toMatch(personal)
  // The beginning alone is shown, so the middle is looked at too.
  expect(excerpt(body.slice(60))).not.toMatch(personal)
})

test.each(['Zo\\u00eb O\\u0027Brien', 'Zo%C3%AB+O%27Brien', 'Zoë+O%27Brien', 'Zoë O&#39;Brien'])(
  'a name written as %s is still masked',
  (text) => {
    expect(makeExcerpt(exampleWireLead("Zoë O'Brien"))(`name=${text}`)).toBe('name=***')
  },
)

test('a short name is not masked inside other words', () => {
  expect(makeExcerpt(exampleWireLead('Al'))('already final')).toBe('already final')
})

test('cuts at 300 characters, and whole ones', () => {
  const cut = excerpt('é😀 '.repeat(500))
  expect([...cut]).toHaveLength(300)
  expect(cut.endsWith('…')).toBe(true)
  expect(cut.isWellFormed()).toBe(true)
})

test('one line, without control characters', () => {
  expect(excerpt('a\r\n\u0000\u001b[31mb')).toBe('a [31mb')
})

test('64 KB of one word take no time', () => {
  const started = performance.now()
  excerpt('a'.repeat(64 * 1024))
  expect(performance.now() - started).toBeLessThan(1000)
})
