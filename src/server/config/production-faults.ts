import { demoValues } from './demo-values.ts'
import type { Environment } from './environment.ts'
import { isPrivateHost } from './private-host.ts'
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

/** What production refuses to start on (ruling 6): missing values, demo values, and plain http to the outside. */
export function productionFaults(env: Partial<Environment>): SettingFault[] {
  const demo = (Object.keys(demoValues) as (keyof typeof demoValues)[]).filter(
    (name) => env[name] === demoValues[name],
  )
  const needsKey = env.ADDRESS_CHECK === 'google' && env.GOOGLE_MAPS_API_KEY === undefined
  return [
    ...faultsOf(
      required.filter((name) => env[name] === undefined),
      'is missing',
    ),
    ...faultsOf(
      requiredOrEmpty.filter((name) => env[name] === undefined),
      'is missing: set it, or set it empty to do without',
    ),
    ...faultsOf(demo, 'is missing, or still the demo value'),
    ...faultsOf(
      needsKey ? ['GOOGLE_MAPS_API_KEY'] : [],
      'is missing; ADDRESS_CHECK=offline does without one',
    ),
    ...faultsOf(
      addresses.filter((name) => isPlainHttpToOutside(env[name] ?? '')),
      'must be https: plain http is only for loopback and private hosts',
    ),
  ]
}

const faultsOf = (names: readonly string[], message: string): SettingFault[] =>
  names.map((name) => ({ name, message }))

function isPlainHttpToOutside(value: string): boolean {
  const url = parseUrl(value)
  return url?.protocol === 'http:' && !isPrivateHost(url.hostname)
}
