import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import ms from 'ms'
import * as v from 'valibot'
import { parseTimeZone } from '#domain/calendar.ts'
import { findDatabaseUrlFault, hasCredentials } from '#server/platform/url-credentials.ts'

/** No message of these schemas quotes the value, which may be a secret. */
export const textSchema = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))

export const paramNameSchema = v.pipe(
  textSchema,
  v.regex(/^[\w.-]{1,64}$/, 'must contain only letters, digits, dots, dashes and underscores'),
)

export const makeEnumSchema = <const Options extends readonly string[]>(options: Options) =>
  v.picklist(options, `must be one of ${options.join(', ')}`)

export const makeIntegerSchema = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )

export const httpUrlSchema = v.pipe(
  textSchema,
  v.check((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be an http(s) URL'),
  // The product's HTTP client ignores credentials in a URL, and browsers would show them.
  v.check(
    (value) => !hasCredentials(value),
    'must be a URL without a user name and password; write any other @ as %40',
  ),
  // Parsers silently remove these characters, so the product would call another URL than the operator reads.
  v.check(
    (value) => !/\p{Cc}/u.test(value),
    'must have no line breaks, tabs or control characters',
  ),
)

export const timeZoneSchema = v.pipe(
  textSchema,
  v.check(
    (value) => parseTimeZone(value) !== undefined,
    'must be a time zone, like America/Denver',
  ),
  v.transform((value) => parseTimeZone(value) ?? value),
)

/** Accepts a URL to which paths are appended, and removes its trailing slashes. */
export const baseUrlSchema = v.pipe(
  httpUrlSchema,
  v.transform((value) => value.replace(/(?<!\/)\/+$/, '')),
)

/** Accepts an OpenID Connect issuer, or the URL of its discovery document, which providers show more often. */
export const issuerSchema = v.pipe(
  httpUrlSchema,
  v.transform((value) => value.replace(/\/\.well-known\/openid-configuration\/?$/, '')),
)

export const originSchema = v.pipe(
  baseUrlSchema,
  v.check(
    (value) => URL.parse(value)?.origin === value,
    'must be an origin alone, like https://www.example.com',
  ),
)

export const databaseUrlSchema = v.pipe(
  textSchema,
  v.check(
    (value) => findDatabaseUrlFault(value) === undefined,
    ({ input }) => findDatabaseUrlFault(input) ?? '',
  ),
)

const durationMessage = 'must be a duration like 15s, 5m or 2h'

const durationListMessage = 'must be durations separated by commas, like 5s,30s,5m'

/** Parses `15s`, `5m` or `2h` into milliseconds, from zero to a maximum. */
export const makeDurationSchema = (most: number, message = durationMessage) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d+(\.\d+)?\s*(ms|s|m|h|d)$/, message),
    v.transform((value) => ms(value as ms.StringValue)),
    v.maxValue(most, `must be at most ${ms(most)}`),
  )

export const makePositiveDurationSchema = (most: number, message = durationMessage) =>
  v.pipe(makeDurationSchema(most, message), v.minValue(1, message))

const splitAtCommas = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const makeDurationListSchema = (most: number) =>
  v.pipe(
    v.string(),
    v.transform(splitAtCommas),
    v.array(makePositiveDurationSchema(most, durationListMessage)),
    v.minLength(1, durationListMessage),
  )

export const listSchema = v.pipe(
  textSchema,
  v.transform(splitAtCommas),
  v.minLength(1, 'must be one or more values, separated by commas'),
)

export const networksSchema = v.pipe(
  v.string(),
  // Caddy's configuration separates networks with spaces; accepting spaces too lets one list serve both programs.
  v.transform((value) => splitAtCommas(value.replaceAll(/\s+/g, ','))),
  v.check(
    (values) => values.every(isNetwork),
    'must be IP addresses or networks like 10.0.0.0/8, separated by commas',
  ),
)

/**
 * Whether a network of proxies is so large that strangers belong to it, who could then name any IP address as theirs.
 * CDNs publish networks of at most /12 (IPv4) and /29 (IPv6). The private networks 10.0.0.0/8 and fc00::/7 are fine, and
 * `::ffff:0:0/96` is all of IPv4.
 */
export function isOpenNetwork(network: string): boolean {
  const [address = '', prefix = '128'] = network.split('/')
  const bits = Number(prefix)
  if (isIP(address) === 4) return bits < 8
  const { parts } = ipaddr.IPv6.parse(address)
  const [first = 0] = parts
  if (first >> 9 === 0x7e) return bits < 7
  const isMapped = parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff
  return isMapped ? bits < 96 + 8 : bits < 16
}

export const emailSchema = v.pipe(textSchema, v.email('must be an email address'))

// The library ipaddr.js also accepts short forms like 10/8, which Node's BlockList refuses.
const isNetwork = (value: string): boolean =>
  isIP(value.split('/')[0] ?? '') !== 0 && (isIP(value) !== 0 || ipaddr.isValidCIDR(value))
