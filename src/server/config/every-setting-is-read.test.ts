import { expect, test } from 'vitest'
import { ownValues } from '#tests/product/own-values.ts'
import { readSettings } from './read-settings.ts'
import { settingNames } from './setting-declarations.ts'

const given = {
  APP_MODE: 'production',
  SITE_ORIGIN: 'https://enquiry.example.edu',
  CONSOLE_ORIGIN: 'https://console.example.edu',
  CONSOLE_OIDC_ISSUER: 'https://login.example.edu',
  CONSOLE_OIDC_CLIENT_ID: 'console',
  CONSOLE_OIDC_CLIENT_SECRET: 'secret',
  DATABASE_URL: 'postgres://db.example.edu/leads',
  DISTRIBUTOR_URL: 'https://tenant-post.example.net/incoming/leads',
  GOOGLE_MAPS_API_KEY: 'real-key',
  IP_LOOKUP_URL: '',
  ...ownValues,
  SIGNUP_URL: 'https://enquiry.example.edu/',
}

/** For each setting, the test picks a valid value from this list that differs from the current one. */
const anything = [
  ...['7', '2s', '9m', 'web', 'demo', 'offline', 'form', 'debug', '10.9.0.0/16', '198.51.100.9'],
  ...['postgres://other.example.edu/leads', 'https://other.example.edu', 'other@example.edu'],
  ...['https://other.example.edu/{leadId}/{email}', 'other', 'America/Denver', 'teams'],
]

function settingsOf(variables: Record<string, string>) {
  const read = readSettings(variables)
  return read.ok ? read.settings : undefined
}

test('production starts with what is given here', () => {
  const read = readSettings(given)
  expect(read.ok ? [] : read.faults, 'what tests/product/own-values.ts lacks').toEqual([])
})

test.each(settingNames)('%s changes what the product is started with', (name) => {
  const before = settingsOf(given)
  expect(before).toBeDefined()
  const others = anything.flatMap((value) => settingsOf({ ...given, [name]: value }) ?? [])
  expect(others.length, 'values that it takes').toBeGreaterThan(0)
  expect(
    others.some((other) => JSON.stringify(other) !== JSON.stringify(before)),
    'declared and in --help, but never read',
  ).toBe(true)
})
