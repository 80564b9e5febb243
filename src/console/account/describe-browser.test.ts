import { expect, test } from 'vitest'
import { describeBrowser } from './account-page.tsx'

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.3537.57`,
    'Edg/141 (Windows NT 10.0; Win64; x64)',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${like} Chrome/141.0.0.0 Mobile Safari/537.36`,
    'Chrome/141 (Linux; Android 10; K)',
  ],
  [
    'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0',
    'Firefox/144 (Android 15; Mobile; rv:144.0)',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${like} Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari/26 (iPhone; CPU iPhone OS 18_6 like Mac OS X)',
  ],
  ['Mozilla/5.0 Firefox/144.0', 'Firefox/144'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', ''],
])('%s', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words)
})
