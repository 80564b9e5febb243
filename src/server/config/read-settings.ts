import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { calculateMinLeaseMs } from '#domain/delivery/delivery.ts'
import { areOneEditApart } from '#domain/one-edit-apart.ts'
import { isLoopbackHost, isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import {
  findDeclaration,
  type SettingName,
  type SettingValues,
  settingNames,
} from './setting-declarations.ts'
import { type Settings, toSettings } from './settings.ts'
import { isOpenNetwork } from './value-schemas.ts'

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly faults: readonly string[] }

/**
 * Reads and checks the environment and the secret files that it names, and lists all faults at once. The message of a
 * fault never contains a setting's value, because the value may be secret.
 */
export function readSettings(variables: EnvironmentVariables): SettingsResult {
  const values: Record<string, unknown> = {}
  const faults = new Map<string, string>()
  /** Keeps the first fault of each setting: in production, an invalid setting would also be reported as missing. */
  const report = (name: string, fault: string | undefined): void => {
    if (fault !== undefined && !faults.has(name)) faults.set(name, `${name} ${fault}`)
  }
  const mode = variables.APP_MODE?.trim()
  const isProduction = mode === 'production'
  for (const name of settingNames) {
    const result = readSetting(name, variables, isProduction)
    if ('value' in result) values[name] = result.value
    else report(name, result.fault)
  }
  const env = values as SettingValues
  if (isProduction) {
    for (const name of settingNames) report(name, describeProductionFault(name, env))
    if (env.ROLE !== 'all' && env.DATABASE_URL === undefined) report('ROLE', needsSharedStore)
    if (isConsoleUnencrypted(env)) report('CONSOLE_ORIGIN', unencryptedConsole)
  }
  for (const name of Object.keys(variables)) report(name, describeMisspelling(name))
  for (const name of providerSettings) report(name, describeIncompleteProvider(name, env))
  if (!mode) report('APP_MODE', describeUnsetMode(env))
  // If console and site had one origin, neither a browser nor a proxy could tell them apart.
  if (env.SITE_ORIGIN !== undefined && env.SITE_ORIGIN === env.CONSOLE_ORIGIN)
    report('CONSOLE_ORIGIN', 'is the same as SITE_ORIGIN: choose another origin')
  report('DELIVERY_LEASE', describeShortLease(env))
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
  const { text, source = '', fault } = readVariable(name, variables)
  if (fault !== undefined) return { fault }
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

/**
 * Describes why production refuses a setting's value: the value is missing, is the demo value, or sends data or visitors
 * to a public host over plain http (reading 6).
 */
function describeProductionFault(name: SettingName, env: SettingValues): string | undefined {
  const { means, isNeeded, inDemo } = findDeclaration(name)
  const value = env[name]
  if (isNeeded && value === undefined) return `is missing: set it to ${means}`
  const isNeedless = name === 'GOOGLE_MAPS_API_KEY' && env.ADDRESS_CHECK === 'offline'
  if (inDemo !== undefined && value === inDemo && !isNeedless)
    return `is missing, or still the demo value: set it to ${means}`
  if (name === 'TRUSTED_PROXIES' && env.TRUSTED_PROXIES?.some(isOpenNetwork))
    return 'must name your proxies only: with a network like 0.0.0.0/0, every visitor could forge their IP address'
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url?.protocol === 'http:' && !isPrivateHost(url.hostname)
    ? 'must be https: plain http is only for loopback and private hosts'
    : undefined
}

const needsSharedStore =
  'needs a database that several processes share: set DATABASE_URL to a PostgreSQL URL. SQLite allows one process ' +
  'only (ROLE=all)'

const unencryptedConsole =
  'must be https: plain http is only for a console on loopback (CONSOLE_HOST and CONSOLE_ORIGIN). For any other address, ' +
  'put a proxy with https in front'

/**
 * Returns whether operators would sign in over an unencrypted network, where others could read the password. A private
 * network also counts as unencrypted.
 */
function isConsoleUnencrypted({ ROLE, CONSOLE_HOST, CONSOLE_ORIGIN }: SettingValues): boolean {
  if (ROLE === 'web' || ROLE === 'worker' || CONSOLE_ORIGIN?.startsWith('https:')) return false
  const hosts = [CONSOLE_HOST, CONSOLE_ORIGIN && URL.parse(CONSOLE_ORIGIN)?.hostname]
  return hosts.some((host) => host !== undefined && !isLoopbackHost(host))
}

/**
 * Reports a variable whose name differs from a setting's name by one letter, because the server would silently ignore
 * it. Ignores names shorter than eight letters, which other programs may use (HOST, POST, PORT).
 */
function describeMisspelling(name: string): string | undefined {
  const known: readonly string[] = [...settingNames, ...secretFileVariables]
  if (name.length < 8 || known.includes(name)) return undefined
  const similar = known.find((candidate) => areOneEditApart(name, candidate))
  return similar && `is not a setting; did you mean ${similar}?`
}

const providerSettings = [
  'CONSOLE_OIDC_ISSUER',
  'CONSOLE_OIDC_CLIENT_ID',
  'CONSOLE_OIDC_CLIENT_SECRET',
] as const

/** An operator who sets one of these settings wants single sign-on, so each missing setting is an error. */
const describeIncompleteProvider = (
  name: (typeof providerSettings)[number],
  env: SettingValues,
): string | undefined =>
  env[name] === undefined && providerSettings.some((other) => env[other] !== undefined)
    ? `is missing: single sign-on needs ${findDeclaration(name).means}`
    : undefined

/** Demo mode is the default. If real leads can come in or go out, the operator must choose a mode. */
function describeUnsetMode({ DISTRIBUTOR_URL, SITE_ORIGIN }: SettingValues): string | undefined {
  const isOutside =
    DISTRIBUTOR_URL !== undefined && !isLoopbackHost(URL.parse(DISTRIBUTOR_URL)?.hostname ?? '')
  const isPublic =
    SITE_ORIGIN !== undefined && !isPrivateHost(URL.parse(SITE_ORIGIN)?.hostname ?? '')
  if (!isOutside && !isPublic) return undefined
  const why = isOutside
    ? 'DISTRIBUTOR_URL is outside this machine, so leads would be delivered there'
    : 'SITE_ORIGIN is public, so real people would enquire here'
  return `must be set, because ${why}. Set APP_MODE=production, or APP_MODE=demo if this is a test`
}

/** If a lease ended during an attempt, a second worker would send the same lead. */
function describeShortLease(env: Partial<SettingValues>): string | undefined {
  const { DELIVERY_TIMEOUT: timeout, DELIVERY_LEASE: lease, IP_LOOKUP_URL } = env
  if (timeout === undefined || lease === undefined) return undefined
  const least = calculateMinLeaseMs(timeout, IP_LOOKUP_URL !== '')
  if (lease >= least) return undefined
  return (
    `is too short for DELIVERY_TIMEOUT: make it at least ${Math.ceil(least / 1000)}s, or shorten the timeout. ` +
    'Otherwise a second worker could send a lead that is still being sent'
  )
}

export const secretSettingNames = settingNames.filter((name) => findDeclaration(name).mayBeSecret)

/** The variables that name the file of a secret value, because container platforms provide secrets as files. */
export const secretFileVariables: readonly string[] = secretSettingNames.map(
  (name) => `${name}_FILE`,
)

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * Reads a variable, or the file that `NAME_FILE` names. A fault doesn't quote the path, which may be the secret itself.
 * @returns the text, undefined if neither is set, with words that name the file in the message of a fault
 */
function readVariable(
  name: SettingName,
  variables: EnvironmentVariables,
): { readonly text?: string | undefined; readonly source?: string; readonly fault?: string } {
  const path = variables[`${name}_FILE`]?.trim()
  if (!path || !secretSettingNames.includes(name)) return { text: variables[name] }
  const source = ` (read from ${name}_FILE)`
  if (variables[name]?.trim()) return { fault: `is set, and so is ${name}_FILE: keep one of them` }
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
