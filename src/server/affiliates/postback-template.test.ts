import { expect, test } from 'vitest'
import { fillPostbackTemplate, findPostbackFault, normalizeTemplate } from './postback-template.ts'

const values = {
  click_id: 'a&b=c d',
  sub_id: '\ud800',
  lead_id: '1',
  event: 'accepted',
  reason: '{event}',
  payout: '12.50',
  time: '2026-01-31T12:00:00.000Z',
}

test('every value is URL-encoded and none is read as a macro', () => {
  const template = 'https://p.example/{event}?c={click_id}&s={sub_id}&r={reason}&t={time}'
  expect(findPostbackFault(template, false)).toBeUndefined()
  expect(fillPostbackTemplate(template, values)).toBe(
    'https://p.example/accepted?c=a%26b%3Dc%20d&s=%EF%BF%BD&r=%7Bevent%7D&t=2026-01-31T12%3A00%3A00.000Z',
  )
})

test('a value of dots does not remove a part of the path', () => {
  const template = 'https://p.example/key/{click_id}/{sub_id}?c={click_id}'
  const filled = fillPostbackTemplate(template, { ...values, click_id: '..', sub_id: '.' })
  expect(new URL(filled).pathname).toBe('/key//')
})

test.each([
  ['https://p.example/?c={clickid}', /^There is no \{clickid\}\. Use \{click_id\}, /],
  ['https://p.example/?c={}', /^There is no \{\}/],
  ['https://p.example/?c={click_id', /^Close each brace/],
  ['https://p.example/?c=click_id}', /^Close each brace/],
  ['https://p.example/?c={CLICK_ID}', /^There is no \{CLICK_ID\}/],
  ['https://p.example/?c=%7bclickid%7D', /^There is no \{clickid\}/],
  ['https://p.example/?c=%7Bclick_id}', /^Close each brace/],
  ['https://p.example/?c={click_id%7D', /^Close each brace/],
  ['https://p.example/?c={{sub_id}}', /^Close each brace/],
  ['https://p.example/?c=1#{lead_id}', /“#\{lead_id\}”/],
  ['https://p.example/?c=1#top', /^Leave out #/],
  ['https://p.example/?c={click_id}#sub_id#', /^Leave out #/],
  ['https://p.example/?c=100%', /^Write % as %25/],
  ['https://p.example/?c=%sub_id%', /^Write % as %25/],
  ['https://p.example/?c=%{sub_id}', /“%\{sub_id\}”/],
  ['https://p.example/?c=\u0024{payout}', /“\$\{payout\}”/],
  ['https://p.example/?c=%24%7Btime%7D', /“%24\{time\}”/],
  ['https://p.example/?c=lead_id', /^The URL has no macro/],
  ['https://p.example/?c=[sub_id]', /^The URL has no macro/],
  ['http://p.example/?c={click_id}', /begins with https/],
  ['p.example/?c={click_id}', /begins with https/],
  ['ftp://p.example/', /begins with https/],
  ['https://a:b@p.example/', /without a user name/],
  ['https://{sub_id}.example/', /^Use macros only after the host/],
  ['https://p.example:{payout}/', /begins with https/],
  ['https://127.0.0.1/', /public address/],
  ['https://[::1]/', /public address/],
  ['https://[::ffff:10.0.0.1]/', /public address/],
  ['https://2130706433/', /public address/],
  ['https://169.254.169.254/latest', /public address/],
  ['https://localhost/', /public address/],
  ['https://localhost./', /public address/],
  ['https://a.localhost/', /public address/],
  [`https://p.example/?${'x'.repeat(2000)}`, /^Use 2000 characters or fewer/],
])('%s is an error at the field', (template, message) => {
  expect(findPostbackFault(template, false)).toMatch(message)
})

test('demo mode allows the sandbox’s address', () =>
  expect(findPostbackFault('http://127.0.0.1:4000/a?c={click_id}', true)).toBeUndefined())

test.each([
  'https://p.example/click_id/{click_id}?event=event&data[lead_id]={lead_id}&t%5B%5D=time',
  'https://p.example/?q=%7B%22id%22%3A%22{sub_id}%22%7D&off=50%25&to=a%20(b)',
  'https://p.example:8443/~x/{event}-{time}/my_event_id/2.0?a=$1.50&b=*&c=_&d=[]',
])('%s is valid', (template) => expect(findPostbackFault(template, false)).toBeUndefined())

test.each([
  ['https://p.example/?c=%7Bclick_id%7D', 'https://p.example/?c={click_id}'],
  [' https://P.example?c={click_id}\r\n', 'https://p.example/?c={click_id}'],
  ['https://p.example/a\nb/{event}/%7btime%7d', 'https://p.example/ab/{event}/{time}'],
  [
    'https://p.example/ü b/{event}?q=ü&r=%7B%7D',
    'https://p.example/%C3%BC%20b/{event}?q=%C3%BC&r=%7B%7D',
  ],
])('%j is stored as %s', (template, stored) => {
  expect(normalizeTemplate(template)).toBe(stored)
  expect(fillPostbackTemplate(template.trim(), values)).not.toMatch(/click_id|time|event/)
})
