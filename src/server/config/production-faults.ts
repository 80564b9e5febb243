import { demoKey, demoValues } from './demo-values.ts'
import type { Environment } from './environment.ts'
import { isPrivateHost } from './private-host.ts'
import { settingMeanings } from './setting-meanings.ts'
import { parseUrl } from './value-rules.ts'

export interface SettingFault {
  readonly name: string
  /** Follows the name in a sentence. */
  readonly message: string
}

/** Third parties and secrets that production cannot do without. */
const required = ['SITE_ORIGIN', 'DISTRIBUTOR_URL', 'SIGNUP_URL'] as const

const requiredOrEmpty = [
  'IP_LOOKUP_URL',
  'PIXEL_URL_HEALTHCARE',
  'PIXEL_URL_TECHNOLOGY',
  'PIXEL_URL_DEFAULT',
] as const

/** Addresses that data or visitors are sent to. */
const addresses = [
  'SITE_ORIGIN',
  'DISTRIBUTOR_URL',
  'ADDRESS_VALIDATION_URL',
  'GEOCODING_URL',
  ...requiredOrEmpty,
  'SIGNUP_URL',
  'TRUSTED_FORM_URL',
  'UNSUBSCRIBE_URL',
] as const

/**
 * What production refuses to start on: missing values, demo values, plain http to the outside, and a store that only
 * one of two processes would see
 * (docs/decisions/0016).
 */
export function productionFaults(env: Partial<Environment>): SettingFault[] {
  const demo = (Object.keys(demoValues) as (keyof typeof demoValues)[]).filter(
    (name) => env[name] === demoValues[name],
  )
  const key = env.GOOGLE_MAPS_API_KEY
  const needsKey = env.ADDRESS_CHECK === 'google' && (key === undefined || key === demoKey)
  return [
    ...faultsOf(
      [...required, ...requiredOrEmpty].filter((name) => env[name] === undefined),
      (name) => `is missing: set it to ${settingMeanings[name]}`,
    ),
    ...faultsOf(
      demo,
      (name) => `is missing, or still the demo value: set it to ${settingMeanings[name]}`,
    ),
    ...faultsOf(
      env.ROLE !== 'all' && env.DATABASE_URL === undefined ? ['ROLE' as const] : [],
      () =>
        'is for one of several processes: set DATABASE_URL to the PostgreSQL database that they share. On SQLite one ' +
        'process does all (ROLE=all)',
    ),
    ...faultsOf(
      needsKey ? ['GOOGLE_MAPS_API_KEY' as const] : [],
      (name) =>
        `is missing: set it to ${settingMeanings[name]}; ADDRESS_CHECK=offline does without one`,
    ),
    ...faultsOf(
      addresses.filter((name) => isPlainHttpToOutside(env[name] ?? '')),
      () => 'must be https: plain http is only for loopback and private hosts',
    ),
  ]
}

const faultsOf = (
  names: readonly (keyof Environment)[],
  message: (name: keyof Environment) => string,
): SettingFault[] => names.map((name) => ({ name, message: message(name) }))

function isPlainHttpToOutside(value: string): boolean {
  const url = parseUrl(value)
  return url?.protocol === 'http:' && !isPrivateHost(url.hostname)
}
