import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { findMinLease } from '#domain/delivery/delivery.ts'
import { areOneEditApart } from '#domain/one-edit-apart.ts'
import { isLoopbackHost, isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import {
  findDeclaration,
  type SettingName,
  type SettingValues,
  settingNames,
} from './declared-settings.ts'
import { type Settings, toSettings } from './settings.ts'

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly faults: readonly string[] }

interface SettingFault {
  readonly name: string
  /** The error message, which follows the setting's name. */
  readonly message: string
}

/**
 * Reads and checks the whole environment and the secret files that it names, and lists all faults at once. A fault
 * never quotes a value, because it may be secret.
 */
export function readSettings(variables: EnvironmentVariables): SettingsResult {
  const read: Record<string, unknown> = {}
  const found: SettingFault[] = []
  const isProduction = variables.APP_MODE?.trim() === 'production'
  for (const name of settingNames) {
    const result = readSetting(name, variables, isProduction)
    if ('value' in result) read[name] = result.value
    else found.push({ name, message: result.fault })
  }
  const env = read as SettingValues
  found.push(
    ...(isProduction ? findProductionFaults(env) : []),
    ...findMisspelledNames(Object.keys(variables)),
    ...findIncompleteSso(env),
    ...(variables.APP_MODE?.trim() ? [] : findUnsetMode(env)),
    ...findSharedOrigin(env),
    ...findShortLease(env),
  )
  const faults = new Map<string, string>()
  // Only the first fault of a setting is reported: production would also call an invalid setting missing.
  for (const { name, message } of found)
    if (!faults.has(name)) faults.set(name, `${name} ${message}`)
  return faults.size > 0
    ? { ok: false, faults: [...faults.values()] }
    : { ok: true, settings: toSettings(env) }
}

function readSetting(
  name: SettingName,
  variables: EnvironmentVariables,
  isProduction: boolean,
): { readonly value: unknown } | { readonly fault: string } {
  const { rule, byDefault, inDemo, inProduction, mayBeEmpty } = findDeclaration(name)
  const given = readVariable(name, variables)
  if (given.fault !== undefined) return given
  const { text, source } = given
  const isEmpty = text?.trim() === ''
  if (isEmpty && mayBeEmpty) return { value: '' }
  const otherwise = (isProduction ? inProduction : undefined) ?? byDefault ?? inDemo
  const parsed = text === undefined || isEmpty ? otherwise : text
  if (parsed === undefined) return { value: undefined }
  const result = v.safeParse(rule, parsed)
  if (result.success) return { value: result.output }
  return {
    fault: result.issues[0].message + (mayBeEmpty ? ', or empty for none' : '') + source,
  }
}

const ofProvider = [
  'CONSOLE_OIDC_ISSUER',
  'CONSOLE_OIDC_CLIENT_ID',
  'CONSOLE_OIDC_CLIENT_SECRET',
] as const

/**
 * A single provider setting shows that the operator wants single sign-on; without this error, the sign-in button would
 * just be missing.
 */
function findIncompleteSso(env: SettingValues): SettingFault[] {
  const missing = ofProvider.filter((name) => env[name] === undefined)
  if (missing.length === ofProvider.length) return []
  return missing.map((name) => ({
    name,
    message: `is missing: single sign-on needs ${findDeclaration(name).means}`,
  }))
}

const needsSharedStore =
  'needs a database that several processes share: set DATABASE_URL to a PostgreSQL address. SQLite allows one process ' +
  'only (ROLE=all)'

const unencryptedConsole =
  'must be https: plain http is only for a console on loopback (CONSOLE_HOST and CONSOLE_ORIGIN). For any other address, ' +
  'put a proxy with https in front'

/**
 * The reasons for production to refuse the start: missing values, demo values, plain http to the outside, and a store
 * that only one of two processes would see (reading 6).
 */
function findProductionFaults(env: Partial<SettingValues>): SettingFault[] {
  const faults = settingNames.flatMap((name) => {
    const message = describeProductionFault(name, env)
    return message === undefined ? [] : [{ name, message }]
  })
  return [
    ...faults,
    ...(env.ROLE !== 'all' && env.DATABASE_URL === undefined
      ? [{ name: 'ROLE', message: needsSharedStore }]
      : []),
    ...(isConsoleUnencrypted(env) ? [{ name: 'CONSOLE_ORIGIN', message: unencryptedConsole }] : []),
  ]
}

/**
 * Whether operators would sign in over an unencrypted network, where others could read the password. A private network
 * counts as unencrypted, too.
 */
function isConsoleUnencrypted({
  ROLE,
  CONSOLE_HOST,
  CONSOLE_ORIGIN,
}: Partial<SettingValues>): boolean {
  if (ROLE === 'web' || ROLE === 'worker' || CONSOLE_ORIGIN?.startsWith('https:')) return false
  const hosts = [CONSOLE_HOST, CONSOLE_ORIGIN && URL.parse(CONSOLE_ORIGIN)?.hostname]
  return hosts.some((host) => host !== undefined && !isLoopbackHost(host))
}

function describeProductionFault(
  name: SettingName,
  env: Partial<SettingValues>,
): string | undefined {
  const { means, isNeeded, inDemo } = findDeclaration(name)
  const value = env[name]
  if (isNeeded && value === undefined) return `is missing: set it to ${means}`
  const isNeedless = name === 'GOOGLE_MAPS_API_KEY' && env.ADDRESS_CHECK === 'offline'
  if (inDemo !== undefined && value === inDemo && !isNeedless)
    return `is missing, or still the demo value: set it to ${means}`
  // Data or visitors are sent to every address in the settings.
  return typeof value === 'string' && isPlainHttpToPublicHost(value)
    ? 'must be https: plain http is only for loopback and private hosts'
    : undefined
}

function isPlainHttpToPublicHost(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'http:' && !isPrivateHost(url.hostname)
}

/** The default demo mode is for a first look. If real leads can come in or go out, the operator must choose a mode. */
function findUnsetMode({ DISTRIBUTOR_URL, SITE_ORIGIN }: Partial<SettingValues>): SettingFault[] {
  const isOutside =
    DISTRIBUTOR_URL !== undefined && !isLoopbackHost(URL.parse(DISTRIBUTOR_URL)?.hostname ?? '')
  const isPublic =
    SITE_ORIGIN !== undefined && !isPrivateHost(URL.parse(SITE_ORIGIN)?.hostname ?? '')
  if (!isOutside && !isPublic) return []
  const why = isOutside
    ? 'DISTRIBUTOR_URL is outside this machine, so leads would be delivered there'
    : 'SITE_ORIGIN is a public address, so real people would enquire here'
  const message = `must be set, because ${why}. Set APP_MODE=production, or APP_MODE=demo if this is a test`
  return [{ name: 'APP_MODE', message }]
}

/** If both had one origin, neither a browser nor a proxy could tell the console from the site. */
const findSharedOrigin = ({
  SITE_ORIGIN,
  CONSOLE_ORIGIN,
}: Partial<SettingValues>): SettingFault[] =>
  SITE_ORIGIN !== undefined && SITE_ORIGIN === CONSOLE_ORIGIN
    ? [{ name: 'CONSOLE_ORIGIN', message: 'is the same as SITE_ORIGIN: choose another origin' }]
    : []

/** If a lease ends during a call, a second worker sends the same lead. */
function findShortLease(env: Partial<SettingValues>): SettingFault[] {
  const { DELIVERY_TIMEOUT: timeout, DELIVERY_LEASE: lease, IP_LOOKUP_URL } = env
  if (timeout === undefined || lease === undefined) return []
  const least = findMinLease({ timeout, looksUpIp: IP_LOOKUP_URL !== '' })
  if (lease >= least) return []
  const message =
    `is too short for DELIVERY_TIMEOUT: make it at least ${Math.ceil(least / 1000)}s, or shorten the timeout. ` +
    'Otherwise a second worker could send a lead that is still being sent'
  return [{ name: 'DELIVERY_LEASE', message }]
}

/**
 * Finds names that differ from a setting's name by one letter, which would silently be ignored. Names shorter than eight
 * letters are too similar to those of other programs (HOST, POST, PORT).
 */
function findMisspelledNames(names: readonly string[]): SettingFault[] {
  const known: readonly string[] = [...settingNames, ...secretFileNames]
  return names
    .filter((name) => name.length >= 8 && !known.includes(name))
    .flatMap((name) => {
      const similar = known.find((candidate) => areOneEditApart(name, candidate))
      return similar ? [{ name, message: `is not a setting; did you mean ${similar}?` }] : []
    })
}

export const secretNames = settingNames.filter((name) => findDeclaration(name).mayBeSecret)

/** The variables that name the file of a secret value, because container platforms provide secrets as files. */
export const secretFileNames: readonly string[] = secretNames.map((name) => `${name}_FILE`)

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

interface Given {
  /** The value; undefined if neither the variable nor its file is set. */
  readonly text?: string | undefined
  /** Added to a fault, so that the operator corrects the file. */
  readonly source: string
  readonly fault?: undefined
}

/** Reads a variable, or the file that `NAME_FILE` names. A fault doesn't quote the path, which may be the secret itself. */
export function readVariable(
  name: SettingName,
  variables: EnvironmentVariables,
): Given | { readonly fault: string } {
  const path = variables[`${name}_FILE`]?.trim()
  if (!path || !secretNames.includes(name)) return { text: variables[name], source: '' }
  const source = ` (read from ${name}_FILE)`
  if (variables[name]?.trim()) return { fault: `is set, and ${name}_FILE too: keep one of them` }
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text.trim() === '' || /[\r\n]/.test(text)
      ? { fault: `must be the only line of its file${source}` }
      : { text, source }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { fault: `cannot be read from the file that ${name}_FILE names (${code})` }
  }
}
