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

test('empty values are left out, and long ones are cut at 200 characters', () => {
  const long = 'x'.repeat(199) + '😀'.repeat(5_000)
  expect(
    parseTouch(
      [
        ['utm_source', ' \u0007'],
        ['utm_term', long],
      ],
      true,
    ),
  ).toEqual({ utm_term: 'x'.repeat(199) })
  expect(parseTouch([['utm_term', 'y'.repeat(10_000)]], true).utm_term).toHaveLength(200)
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
