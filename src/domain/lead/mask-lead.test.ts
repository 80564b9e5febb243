import { expect, test } from 'vitest'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import type { Lead } from './lead.ts'
import { maskLead } from './mask-lead.ts'

const { lead } = exampleArrival({ email: 'zoe.oneill@mail.example.com', zipPlus4: '34236-5610' })

test('a masked lead shows only initials and values that identify nobody', () => {
  const masked = maskLead({
    ...lead,
    consent: { ...lead.consent, pageUrl: 'https://school.example/zoe.oneill@x' },
  })
  expect(masked).toMatchObject({
    firstName: 'Z•••',
    lastName: 'O•••',
    email: 'z•••@m•••.com',
    phone: '•••00',
    address: '•••',
    city: '•••',
    zip: '342••',
    zipPlus4: '342••',
    consent: { ip: '203.0.•••', userAgent: '•••', pageUrl: 'https://school.example/healthcare' },
  })
  const { id, receivedAt, area, program, state, gpc, subId } = lead
  expect(masked).toMatchObject({ id, receivedAt, area, program, state, gpc, subId })
})

test('the initial is a whole letter, and an empty or invalid value stays hidden', () => {
  const odd = maskLead({ ...lead, firstName: '𠮷田', lastName: '', email: 'not an address' })
  expect(odd).toMatchObject({ firstName: '𠮷•••', lastName: '', email: '•••' })
  const ipv6 = maskLead({ ...lead, consent: { ...lead.consent, ip: '2001:db8:1:2::3' } })
  expect(ipv6.consent.ip).toBe('2001:db8:•••')
})

test('erased and unreadable leads are masked, too', () => {
  const { id, receivedAt, area, consent, program, email } = lead
  const erased = { id, receivedAt, area, program, gpc: null, consent } as const
  expect(maskLead({ ...erased, erasedAt: 5, erasedBy: 'retention' })).toMatchObject({
    consent: { ip: '203.0.•••', text: consent.text },
    erasedAt: 5,
  })
  const unreadable = { parts: ['phone'] }
  expect(maskLead({ id, receivedAt, area, email, consent: null, unreadable })).toEqual({
    id,
    receivedAt,
    area,
    email: 'z•••@m•••.com',
    consent: null,
    unreadable,
  })
})

test.each(['partner-7', 'spring-2026', '202611', 'click_a1b2c3'])(
  'shows the affiliate id %s',
  (subId) => {
    expect(maskLead({ ...lead, subId }).subId).toBe(subId)
  },
)

test.each([
  'ada@example.com',
  'ada%40example.com',
  'ada＠example.com',
  '(941) 555-0100',
  '941–555–0100',
  '941/555/0100',
  '941_555_0100',
  'tel:+1-941-555-0100',
  '0019415550100',
  'aff-9415550123',
  '9４1555010０',
  '٩٤١٥٥٥٠١٠٠',
])('hides the affiliate id %s, which may be somebody’s email address or phone number', (subId) => {
  expect(maskLead({ ...lead, subId }).subId).toBe('•••')
})

test('hides click ids, and campaign values with an email address; the numbers of campaigns are shown', () => {
  const touch = {
    utm_source: 'news',
    utm_campaign: '20981234567',
    utm_term: 'ada%40example.com',
    utm_content: 'ada＠example.com',
    referrer: 'x.example',
    gclid: 'click 1',
  }
  const masked = {
    utm_source: 'news',
    utm_campaign: '20981234567',
    utm_term: '•••',
    utm_content: '•••',
    referrer: 'x.example',
    gclid: '•••',
  }
  const { attribution } = maskLead({ ...lead, attribution: { first: touch, last: touch } })
  expect(attribution).toEqual({ first: masked, last: masked })
})

const janessa = {
  ...lead,
  firstName: 'Janessa',
  lastName: 'Quillfeather-Díaz',
  phone: '9415557777',
  email: 'jan.q99+forms@mail.example.com',
  address: '72 Heron Court',
}

const maskedTerm = (person: Lead, utm_term: string) =>
  maskLead({ ...person, attribution: { first: {}, last: { utm_term } } }).attribution?.last.utm_term

test.each([
  'Janessa Quillfeather 9415557777',
  'JANESSA',
  'spring+quillfeather+2026',
  'mail%20to%20J%C3%A1nessa',
  'mail%2520to%2520Janessa',
  'Ｊａｎｅｓｓａ',
  'jquillfeather-diaz',
  'QuillfeatherDiaz',
  'crm_quill_feather',
  'for-Diaz',
  '(941) 555-7777',
  '1.941.555.7777',
  '5557777',
  '٩٤١٥٥٥٧٧٧٧',
  'jan.q99',
  'JanQ99',
  'jan.q99+forms(at)mail.example.com',
  '72 heron ct',
  'heron-court',
  '72%2BHeron%2BCourt',
])('hides %s in a touch and in the affiliate id of the person', (text) => {
  expect(maskedTerm(janessa, text)).toBe('•••')
  expect(maskLead({ ...janessa, subId: text }).subId).toBe('•••')
  const stranger = { ...lead, firstName: 'Bo', lastName: 'Li', phone: '2125550188' }
  const other = { ...stranger, email: 'x@y.example', address: '9 Elm Road' }
  expect(maskedTerm(other, text)).toBe(text)
})

test.each([
  ['Bo', 'Lee', 'sleep-study'],
  ['Bo', 'Lee', 'bonus'],
  ['Ann', 'O', 'annual-o2'],
  ['Janessa', 'Quillfeather', 'google'],
  ['李', '明', 'spring'],
])('shows to %s %s the campaign %s', (firstName, lastName, campaign) => {
  expect(maskedTerm({ ...janessa, firstName, lastName }, campaign)).toBe(campaign)
})

test.each([
  ['Bo', 'Lee', 'for Lee'],
  ['Bo', 'Lee', 'boLee'],
  ['Bo', 'Lee', 'b.lee'],
  ['Bo', 'Lee', 'blee'],
  ['李', '明', '李-2026'],
  ['小明', '王', '春天小明'],
])('hides from the campaign of %s %s: %s', (firstName, lastName, campaign) => {
  expect(maskedTerm({ ...janessa, firstName, lastName }, campaign)).toBe('•••')
})

test('hides every part of both touches, the linking host, too', () => {
  const touch = { utm_source: 'news', utm_campaign: 'janessa', referrer: 'quillfeather.example' }
  const { attribution } = maskLead({ ...janessa, attribution: { first: touch, last: touch } })
  const masked = { utm_source: 'news', utm_campaign: '•••', referrer: '•••' }
  expect(attribution).toEqual({ first: masked, last: masked })
})
