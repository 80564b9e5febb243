import { isIP } from 'node:net'
import * as v from 'valibot'
import { mostRetentionDays } from '#domain/lead/retention.ts'
import { demoValues } from './demo-values.ts'
import {
  baseUrl,
  databaseUrl,
  duration,
  durations,
  durationUpTo,
  email,
  httpUrl,
  networks,
  origin,
  text,
  wholeNumber,
} from './value-rules.ts'

/** An address that may be set empty, to do without. */
const httpUrlOrNone = v.optional(
  v.union(
    [v.pipe(v.string(), v.trim(), v.literal('')), httpUrl],
    'must be an http(s) address, or empty to do without',
  ),
)

const oneOf = <const Options extends readonly string[]>(options: Options) =>
  v.picklist(options, `must be one of ${options.join(', ')}`)

/** Every name of the environment that is read, with its rule and its default. Nothing else reads the environment. */
export const environment = v.object({
  PORT: v.optional(wholeNumber(0, 65_535), '3000'),
  HOST: v.optional(text, '127.0.0.1'),
  ROLE: v.optional(oneOf(['web', 'worker', 'all']), 'all'),
  DATA_DIR: v.optional(text, './data'),
  DATABASE_URL: v.optional(databaseUrl),
  SITE_ORIGIN: v.optional(origin),
  TRUSTED_PROXIES: v.optional(networks, ''),
  // In ten minutes; 0 = any number. Many students share one IPv4 address on a campus or with a mobile carrier.
  LEADS_PER_NETWORK: v.optional(wholeNumber(0, 1_000_000), '200'),
  LOOKUPS_PER_NETWORK: v.optional(wholeNumber(0, 1_000_000), '120'),
  APP_MODE: v.optional(oneOf(['demo', 'production']), 'demo'),
  SANDBOX_PORT: v.optional(wholeNumber(0, 65_535), '4000'),
  DISTRIBUTOR_URL: v.optional(httpUrl),
  DISTRIBUTOR_ENCODING: v.optional(oneOf(['json', 'form']), 'json'),
  // `offline` needs no account; what it cannot know: docs/address-check.md.
  ADDRESS_CHECK: v.optional(oneOf(['google', 'offline']), 'google'),
  ADDRESS_VALIDATION_URL: v.optional(baseUrl),
  GEOCODING_URL: v.optional(baseUrl),
  GOOGLE_MAPS_API_KEY: v.optional(text),
  IP_LOOKUP_URL: httpUrlOrNone,
  FALLBACK_IP: v.optional(
    v.pipe(
      text,
      v.check((value) => isIP(value) !== 0, 'must be an IP address'),
    ),
    '127.0.0.1',
  ),
  CAMPAIGN_CODE: v.optional(text, demoValues.CAMPAIGN_CODE),
  SIGNUP_URL: v.optional(httpUrl),
  TRUSTED_FORM_URL: v.optional(httpUrl, demoValues.TRUSTED_FORM_URL),
  START_DATE_ID: v.optional(text, demoValues.START_DATE_ID),
  SELF_DIRECTED_RATING_ID: v.optional(text, demoValues.SELF_DIRECTED_RATING_ID),
  TIME_TO_COMMIT_ID: v.optional(text, demoValues.TIME_TO_COMMIT_ID),
  AFFILIATE_PARAM: v.optional(
    v.pipe(text, v.regex(/^[\w.-]{1,64}$/, 'must be letters, digits, dot, dash or underscore')),
    'affid',
  ),
  UNSUBSCRIBE_URL: v.optional(httpUrl, demoValues.UNSUBSCRIBE_URL),
  PRIVACY_EMAIL: v.optional(email, demoValues.PRIVACY_EMAIL),
  SCHOOL_NAME: v.optional(text, demoValues.SCHOOL_NAME),
  OPERATOR_NAME: v.optional(text, demoValues.OPERATOR_NAME),
  PIXEL_URL_HEALTHCARE: httpUrlOrNone,
  PIXEL_URL_TECHNOLOGY: httpUrlOrNone,
  PIXEL_URL_DEFAULT: httpUrlOrNone,
  DELIVERY_RETRY_SCHEDULE: v.optional(durations, '5s,30s,5m,30m,2h,5h,10h,10h'),
  DELIVERY_TIMEOUT: v.optional(duration, '15s'),
  DELIVERY_LEASE: v.optional(duration, '60s'),
  DELIVERY_CONCURRENCY: v.optional(wholeNumber(1, 1000), '8'),
  /** The whole stop takes less than ten seconds, this among it. */
  DRAIN_DELAY: v.optional(durationUpTo(3000), '0s'),
  /** Not set: nothing goes by itself. */
  RETENTION_DAYS: v.optional(wholeNumber(1, mostRetentionDays)),
  LOG_LEVEL: v.optional(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
  ),
})

export type Environment = v.InferOutput<typeof environment>

export const environmentNames = Object.keys(environment.entries) as readonly (keyof Environment)[]

/** Names where an empty value says "do without"; everywhere else it counts as not set. */
export const mayBeEmpty: ReadonlySet<string> = new Set([
  'IP_LOOKUP_URL',
  'PIXEL_URL_HEALTHCARE',
  'PIXEL_URL_TECHNOLOGY',
  'PIXEL_URL_DEFAULT',
])

/** Settings that are secret or can have a secret in them: these may come from a file, as NAME_FILE. */
export const mayBeSecret: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DISTRIBUTOR_URL',
  'ADDRESS_VALIDATION_URL',
  'GEOCODING_URL',
  'GOOGLE_MAPS_API_KEY',
  'IP_LOOKUP_URL',
])
