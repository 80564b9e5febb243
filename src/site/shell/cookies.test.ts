import { expect, test } from 'vitest'
import { hasMatchingXsrfToken, normalizeSubId } from './cookies.ts'

test.each([
  ['ours', 'XSRF-TOKEN=a1', 'a1', true],
  ['ours over https', '__Host-XSRF-TOKEN=a1', 'a1', true],
  ['one in quotes, sent with quotes', 'XSRF-TOKEN="abc"', '"abc"', true],
  ['one in quotes, sent without quotes', 'XSRF-TOKEN="abc"', 'abc', true],
  ['one with escapes', 'XSRF-TOKEN=a%2Fb', 'a/b', true],
  ['one with escapes in quotes', 'XSRF-TOKEN="a%2Fb"', '"a/b"', true],
  ['one with escapes, sent with escapes', 'XSRF-TOKEN=a%2Fb', 'a%2Fb', true],
  ['one that cannot be parsed', 'XSRF-TOKEN=a\\b', 'a\\b', true],
  ['the first of two', 'XSRF-TOKEN=theirs; XSRF-TOKEN=ours', 'theirs', true],
  ['the second of two', 'XSRF-TOKEN=theirs; XSRF-TOKEN=ours', 'ours', true],
  ['either name', 'XSRF-TOKEN=theirs; __Host-XSRF-TOKEN=ours', 'ours', true],
  ['either name', 'XSRF-TOKEN=theirs; __Host-XSRF-TOKEN=ours', 'theirs', true],
  ['one beside another name’s', 'MY-XSRF-TOKEN=1; XSRF-TOKEN=a1', 'a1', true],
  ['another name’s', 'MY-XSRF-TOKEN=1', '1', false],
  ['another name’s', 'XSRF-TOKEN-2=1', '1', false],
  ['a part', 'XSRF-TOKEN=abc', 'ab', false],
  ['more', 'XSRF-TOKEN=abc', 'abc; XSRF-TOKEN=abc', false],
  ['nothing', 'XSRF-TOKEN=', '', false],
  ['nothing in quotes', 'XSRF-TOKEN=""', '', false],
  ['an unset one', 'other=1', '1', false],
])('%s (%s) repeated as %j: %s', (_, cookie, token, expected) => {
  const sent: Record<string, string> = { cookie, 'x-xsrf-token': token }
  const head = { header: (name: string) => sent[name], remoteAddress: '203.0.113.7' }
  expect(hasMatchingXsrfToken(head)).toBe(expected)
})

test.each([
  ['partner 7', 'partner 7'],
  [' partner\u00007\u202e\u0085 ', 'partner7'],
  [`${'x'.repeat(198)}😀`, `${'x'.repeat(198)}😀`],
  // A cut id would name another affiliate.
  [`${'x'.repeat(199)}😀`, undefined],
  ['x'.repeat(201), undefined],
  ['{affiliate_id}', undefined],
  ['%5Baff_id%5D', undefined],
  ['\ud800', undefined],
  [' ', undefined],
  [undefined, undefined],
])('%j is kept as %j', (subId, kept) => {
  expect(normalizeSubId(subId)).toBe(kept)
})
