import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import ms from 'ms'
import * as v from 'valibot'

/** The rules of single values. Each message says what to write instead; none quotes the value, which may be a secret. */
export const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))

export const oneOf = <const Options extends readonly string[]>(options: Options) =>
  v.picklist(options, `must be one of ${options.join(', ')}`)

export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )

export const httpUrl = v.pipe(
  text,
  v.check(
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    'must be an http(s) address',
  ),
  // Our HTTP client ignores credentials in an address, and browsers would show them.
  v.check(
    (value) => !URL.parse(value)?.username && !URL.parse(value)?.password,
    'must be an address without a user name and password in it',
  ),
)

/** An address that paths are appended to, without a trailing slash. */
export const baseUrl = v.pipe(
  httpUrl,
  v.transform((value) => value.replace(/(?<!\/)\/+$/, '')),
)

export const origin = v.pipe(
  baseUrl,
  v.check(
    (value) => URL.parse(value)?.origin === value,
    'must be an origin alone, like https://www.example.com',
  ),
)

export const databaseUrl = v.pipe(
  text,
  v.check(
    (value) => /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ''),
    'must be a postgres:// address',
  ),
)

const durationMessage = 'must be a time like 15s, 5m or 2h'

const anyDuration = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^\d+(\.\d+)?\s*(ms|s|m|h|d)$/, durationMessage),
  v.transform((value) => ms(value as ms.StringValue)),
)

/** Parses `15s`, `5m` or `2h` into milliseconds, from zero to a maximum. */
export const durationUpTo = (most: number) =>
  v.pipe(anyDuration, v.maxValue(most, `must be at most ${ms(most)}`))

/** Parses a duration that is greater than zero. */
export const someDurationUpTo = (most: number) =>
  v.pipe(durationUpTo(most), v.minValue(1, durationMessage))

const commaSeparated = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const durationsUpTo = (most: number) =>
  v.pipe(
    v.string(),
    v.transform(commaSeparated),
    v.array(someDurationUpTo(most)),
    v.minLength(1, durationMessage),
  )

export const list = v.pipe(
  text,
  v.transform(commaSeparated),
  v.minLength(1, 'must be one or more values, separated by commas'),
)

export const networks = v.pipe(
  v.string(),
  // Caddy's configuration separates networks with spaces; accepting spaces too lets one list serve both programs.
  v.transform((value) => commaSeparated(value.replaceAll(/\s+/g, ','))),
  v.check(
    (values) => values.every(isNetwork),
    'must be addresses or networks like 10.0.0.0/8, separated by commas',
  ),
)

export const email = v.pipe(text, v.email('must be an email address'))

// The library also accepts short forms like 10/8, which Node's own lists of addresses refuse.
const isNetwork = (value: string): boolean =>
  isIP(value.split('/')[0] ?? '') !== 0 && (isIP(value) !== 0 || ipaddr.isValidCIDR(value))
