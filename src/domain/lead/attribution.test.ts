import { expect, test } from 'vitest'
import {
  findAffiliateClickId,
  findCampaign,
  findSource,
  formatAttribution,
  parseTouch,
  touchParts,
} from './attribution.ts'

test('every part is read, without regard to case, as a plain line; the first value of a name counts', () => {
  const pairs = touchParts.map((part) => [part.toUpperCase(), ` ${part}\u0000\u202e \n`] as const)
  const touch = parseTouch([...pairs, ['utm_source', 'again'], ['gclid2', 'other']], true)
  expect(touch).toEqual(Object.fromEntries(touchParts.map((part) => [part, part])))
})

const read = (query: string) => parseTouch(new URLSearchParams(query), true)

test.each([
  ['ttclid', 325, 1000],
  ['fbclid', 1000, 1000],
  ['click_id', 201, 1000],
  ['utm_campaign', 500, 500],
  ['utm_term', 201, 500],
  ['referrer', 253, 500],
] as const)(
  '%s of %i characters is kept whole, and one of more than %i is left out',
  (part, length, max) => {
    const value = 'é'.repeat(length)
    expect(parseTouch([[part, value]], true)).toEqual({ [part]: value })
    expect(parseTouch([[part, 'y'.repeat(max + 1)]], true)).toEqual({})
  },
)

test.each([
  ['empty values', 'utm_source=&utm_source=%20%09&utm_source=%E2%80%8B&utm_source=news', 'news'],
  ['placeholders', 'utm_source={source}&utm_source=news&utm_source=later', 'news'],
  ['values that are too long', `utm_source=${'x'.repeat(501)}&UTM_SOURCE=news`, 'news'],
  ['the name of a badly encoded link', 'a=1&amp;utm_source=news', 'news'],
  ['a name that was encoded twice', 'amp;AMP;Utm_Source=news&utm_source=later', 'news'],
])('the first valid value counts after %s', (_, query, source) => {
  expect(read(query)).toEqual({ utm_source: source })
})

test.each([
  ...[
    '{gclid}',
    '{{ad.id}}',
    '__CLICKID__',
    '__click_id__',
    '%%CLICK_ID%%',
    '%%CAMPAIGN%%',
    '%adid%',
  ],
  ...[
    '%7Bgclid%7D',
    '%257Bgclid%257D',
    '[click_id]',
    `\${GCLID}`,
    '<gclid>',
    '*|GCLID|*',
    '$(gclid)',
  ],
  ...['｛gclid｝', '{}', '{gclid', 'Cj0K{gclid}', '{a}-{b}', ' {gclid} '],
])('the placeholder %s is no click id', (value) => {
  expect(parseTouch([['gclid', value]], true)).toEqual({})
  // As a browser sends the link, in which some placeholders are invalid URL escapes.
  expect(read(`gclid=${value.replaceAll('+', '%2B')}`)).toEqual({})
})

test.each([
  '{campaignid}',
  '{{campaign.name}}|{{adset.name}}',
  '__CAMPAIGN_NAME__',
  '[CAMPAIGN]',
  '%7B%7Bcampaign.name%7D%7D',
])('the placeholder %s is no campaign', (value) => {
  expect(parseTouch([['utm_campaign', value]], true)).toEqual({})
})

test.each([
  'Spring {2026}',
  'a__b__c',
  '50% off, 20% more',
  '[brand] nursing',
  '100%',
  '-',
  '<br>',
])('the campaign %s is no placeholder', (value) => {
  expect(parseTouch([['utm_campaign', value]], true)).toEqual({ utm_campaign: value })
})

test.each(['IwAR0__ab__c-_x', 'Cj0KCQ', 'c/1', 'a b', 'E,C,P_x%20'])(
  '%s is a click id',
  (value) => {
    expect(parseTouch([['fbclid', value]], true)).toEqual({ fbclid: value })
  },
)

test.each([
  ['WWW.Google.COM', 'google.com'],
  ['www.co', 'www.co'],
  ['www2.x.example', 'www2.x.example'],
])('the host %s becomes %s', (host, kept) => {
  expect(parseTouch([['referrer', host]], true)).toEqual({ referrer: kept })
})

test.each([
  ...(['gclid', 'gbraid', 'wbraid'] as const).map((id) => [id, 'google'] as const),
  ['fbclid', 'facebook'],
  ['msclkid', 'bing'],
  ['ttclid', 'tiktok'],
  ['click_id', 'x.example'],
] as const)('without utm_source, %s makes the source %s, before the linking host', (id, source) => {
  const last = { [id]: 'c1', referrer: 'x.example' }
  expect(findSource({ first: {}, last })).toBe(source)
  expect(findSource({ first: {}, last: { ...last, utm_source: 'news' } })).toBe('news')
})

test('click ids are dropped on request, and nothing else', () => {
  const pairs = touchParts.map((part) => [part, 'x'] as const)
  expect(Object.keys(parseTouch(pairs, false))).toEqual([
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_term',
    'utm_content',
    'referrer',
  ])
})

test('the form’s text has exactly one space, whatever the values', () => {
  const touch = { utm_campaign: 'a b&c=d+%é😀', gclid: '1' }
  const text = formatAttribution({ first: {}, last: touch })
  expect(text).toBe(' utm_campaign=a%20b%26c%3Dd%2B%25%C3%A9%F0%9F%98%80&gclid=1')
  expect(parseTouch(new URLSearchParams(text.split(' ')[1]), true)).toEqual(touch)
})

test('source and campaign are those of the last touch; a linking host stands in for the source', () => {
  const first = { utm_source: 'google', utm_campaign: 'spring' }
  expect(findSource({ first, last: { utm_source: 'news', referrer: 'x.example' } })).toBe('news')
  expect(findSource({ first, last: { referrer: 'x.example' } })).toBe('x.example')
  expect(findCampaign({ first, last: { referrer: 'x.example' } })).toBeNull()
  expect(findCampaign({ first: {}, last: first })).toBe('spring')
  expect(findAffiliateClickId({ first: { click_id: 'a' }, last: first })).toBe('a')
  expect(findAffiliateClickId({ first: { click_id: 'a' }, last: { click_id: 'b' } })).toBe('b')
  const none = { first: {}, last: {} }
  expect([findSource(null), findCampaign(null), findAffiliateClickId(null)]).toEqual(
    Array(3).fill(null),
  )
  expect([findSource(none), findAffiliateClickId(none)]).toEqual([null, null])
})
