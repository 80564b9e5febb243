import { expect, test } from 'vitest'
import { readSettings } from '#server/config/read-settings.ts'
import { formatBanner } from './announce-start.ts'

function bannerOf(variables: Readonly<Record<string, string>>, isUnderSystemd = false): string {
  const read = readSettings(variables)
  if (!read.ok) throw new Error(read.faults.join('\n'))
  return formatBanner(read.settings, {
    port: 3003,
    consoleUrl: 'http://127.0.0.1:3001',
    sandboxUrl: 'http://127.0.0.1:4000',
    isUnderSystemd,
  })
}

test.each([
  [
    'the sandbox',
    {},
    'leads are delivered to the sandbox on this machine. No school receives them.',
  ],
  [
    'another program on this machine',
    { DISTRIBUTOR_URL: 'http://127.0.0.1:5000/in' },
    'Demo mode, but leads are delivered to http://127.0.0.1:5000 (DISTRIBUTOR_URL).',
  ],
  [
    'a real distributor',
    { APP_MODE: 'demo', DISTRIBUTOR_URL: 'https://post.example.net/in?key=open-sesame' },
    'Demo mode, but leads are delivered to https://post.example.net (DISTRIBUTOR_URL).',
  ],
])('the banner says where leads are delivered: %s', (_, variables, sentence) => {
  const words = bannerOf(variables)
  expect(words).toContain(sentence)
  expect(words).not.toContain('open-sesame')
  expect(words.includes('sandbox on this machine')).toBe(!('DISTRIBUTOR_URL' in variables))
})

test.each([
  ['all', /Site +http:\/\/127\.0\.0\.1:3003\n/],
  ['web', /Site +http:\/\/127\.0\.0\.1:3003\n/],
  ['console', /^(?!.*Site).*Console +http:\/\/127\.0\.0\.1:3001\n/s],
  ['worker', /^(?!.*Site).*Health +http:\/\/127\.0\.0\.1:3003\/readyz\n/s],
])('the banner of ROLE=%s lists what the process serves', (ROLE, words) => {
  expect(bannerOf({ ROLE })).toMatch(words)
})

test('under systemd the banner names the leads command, not npm', () => {
  expect(bannerOf({}, true)).toContain('sudo leads list')
  expect(bannerOf({}, true)).not.toContain('npm')
  expect(bannerOf({})).toContain('npm run leads -- list')
})
