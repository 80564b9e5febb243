import { expect, test } from 'vitest'
import { describeBrowser } from './account-page.tsx'

const like = 'Mozilla/5.0 (KHTML, like Gecko)'

test.each([
  [
    `${like} (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.3537.57`,
    'Edge 141 on Windows',
  ],
  [`${like} (X11; Linux x86_64) Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141 on Linux'],
  [
    'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0',
    'Firefox 144 on Android',
  ],
  [
    `${like} (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari 26 on iPhone',
  ],
  [
    `${like} (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15`,
    'Safari 26 on macOS',
  ],
  ['Mozilla/5.0 Firefox/144.0', 'Firefox 144'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', ''],
])('%s', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words)
})
