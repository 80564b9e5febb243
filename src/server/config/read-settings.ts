import * as v from 'valibot'
import { shortestLease } from '#domain/delivery/delivery.ts'
import { areOneEditApart } from '#domain/one-edit-apart.ts'
import { isLoopbackHost, isPrivateHost } from '#server/platform/http/visitor-ip.ts'
import {
  declarationOf,
  type Environment,
  type Setting,
  type SettingName,
  settingNames,
} from './declared-settings.ts'
import { readSecretFiles, secretFileNames } from './secret-files.ts'
import { type Settings, toSettings } from './settings.ts'
import { parseUrl } from './value-rules.ts'

export type ReadSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly faults: readonly string[] }

/**
 * Reads and checks the whole environment and the secret files that it names, and lists all faults at once. A fault
 * never quotes a value, because it may be secret.
 */
export function readSettings(given: Readonly<Record<string, string | undefined>>): ReadSettings {
  const { variables, faults: fileFaults } = readSecretFiles(given)
  const faults = new Map(fileFaults)
  const read: Record<string, unknown> = {}
  const isProduction = variables.APP_MODE?.trim() === 'production'
  for (const name of settingNames) {
    const result = readOne(name, variables, isProduction)
    if ('value' in result) read[name] = result.value
    else if (!faults.has(name)) {
      const source = variables[name] === given[name] ? '' : ` (read from ${name}_FILE)`
      faults.set(name, `${name} ${result.fault}${source}`)
    }
  }
  const env = read as Environment
  const isModeChosen = (variables.APP_MODE?.trim() ?? '') !== ''
  const others = [
    ...(env.APP_MODE === 'production' ? productionFaults(env) : []),
    ...misspeltNames(Object.keys(given)),
    ...incompleteSsoFaults(env),
    ...contradictions(env, isModeChosen),
  ]
  for (const { name, message } of others)
    if (!faults.has(name)) faults.set(name, `${name} ${message}`)
  return faults.size > 0
    ? { ok: false, faults: [...faults.values()] }
    : { ok: true, settings: toSettings(env) }
}

const ofProvider = [
  'CONSOLE_OIDC_ISSUER',
  'CONSOLE_OIDC_CLIENT_ID',
  'CONSOLE_OIDC_CLIENT_SECRET',
] as const

/**
 * A single provider setting shows that the operator wants single sign-on; without this error, its button would just be
 * missing.
 */
function incompleteSsoFaults(env: Environment): SettingFault[] {
  const missing = ofProvider.filter((name) => env[name] === undefined)
  if (missing.length === ofProvider.length) return []
  return missing.map((name) => ({
    name,
    message: `is missing: single sign-on needs ${declarationOf(name).means}`,
  }))
}

function readOne(
  name: SettingName,
  variables: Readonly<Record<string, string | undefined>>,
  isProduction: boolean,
): { readonly value: unknown } | { readonly fault: string } {
  const { rule, byDefault, inDemo, mayBeEmpty, ...declared } = declarationOf(name)
  const given = variables[name]
  const isEmpty = given?.trim() === ''
  if (isEmpty && mayBeEmpty) return { value: '' }
  const inProduction = isProduction ? productionDefault(declared, variables) : undefined
  const otherwise = inProduction ?? byDefault ?? inDemo
  const text = given === undefined || isEmpty ? otherwise : given
  if (text === undefined) return { value: undefined }
  const result = v.safeParse(rule, text)
  if (result.success) return { value: result.output }
  return { fault: result.issues[0].message + (mayBeEmpty ? ', or empty to do without' : '') }
}

function productionDefault(
  { inProduction, inProductionWith }: Pick<Setting, 'inProduction' | 'inProductionWith'>,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isMet = inProductionWith === undefined || (variables[inProductionWith]?.trim() ?? '') !== ''
  return isMet ? inProduction : undefined
}

export interface SettingFault {
  readonly name: string
  /** The part of the sentence after the setting's name. */
  readonly message: string
}

const needsSharedStore =
  'is for one of several processes: set DATABASE_URL to the PostgreSQL database that they share. On SQLite one ' +
  'process does all (ROLE=all)'

const unencryptedConsole =
  'must be https: plain http is for a console that is reached at this machine alone (CONSOLE_HOST and CONSOLE_ORIGIN on ' +
  'loopback); elsewhere a proxy gives it https'

/**
 * The reasons for production to refuse the start: missing values, demo values, plain http to the outside, and a store
 * that only one of two processes would see (reading 6).
 */
export function productionFaults(env: Partial<Environment>): SettingFault[] {
  const faults = settingNames.flatMap((name) => {
    const message = faultMessage(name, env)
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
 * Whether operators would sign in over an unencrypted network, where others could read the password. Even a private
 * network counts.
 */
function isConsoleUnencrypted({
  ROLE,
  CONSOLE_HOST,
  CONSOLE_ORIGIN,
}: Partial<Environment>): boolean {
  if (ROLE === 'web' || ROLE === 'worker' || CONSOLE_ORIGIN?.startsWith('https:')) return false
  const hosts = [CONSOLE_HOST, CONSOLE_ORIGIN && parseUrl(CONSOLE_ORIGIN)?.hostname]
  return hosts.some((host) => host !== undefined && !isLoopbackHost(host))
}

function faultMessage(name: SettingName, env: Partial<Environment>): string | undefined {
  const { means, isNeeded, inDemo, needlessWith } = declarationOf(name)
  const value = env[name]
  if (isNeeded && value === undefined) return `is missing: set it to ${means}`
  if (inDemo !== undefined && value === inDemo && !isConditionMet(needlessWith, env)) {
    const without = needlessWith === undefined ? '' : `; ${needlessWith} does without one`
    return `is missing, or still the demo value: set it to ${means}${without}`
  }
  // Every address among the settings is one that data or visitors are sent to.
  return typeof value === 'string' && isPlainHttpToOutside(value)
    ? 'must be https: plain http is only for loopback and private hosts'
    : undefined
}

/** @param condition `NAME=value` */
function isConditionMet(condition: string | undefined, env: Partial<Environment>): boolean {
  const [name, value] = condition?.split('=') ?? []
  return settingNames.some((known) => known === name && env[known] === value)
}

function isPlainHttpToOutside(value: string): boolean {
  const url = parseUrl(value)
  return url?.protocol === 'http:' && !isPrivateHost(url.hostname)
}

/**
 * Finds settings that are valid one by one but wrong together. A setting with a fault of its own is undefined here, and
 * is not compared.
 * @param isModeChosen APP_MODE is set, and does not merely have its default
 */
export const contradictions = (
  env: Partial<Environment>,
  isModeChosen: boolean,
): readonly SettingFault[] => [
  ...(isModeChosen ? [] : unchosenMode(env)),
  ...sharedPorts(env),
  ...sharedOrigin(env),
  ...shortLease(env),
]

/** The default demo mode is for a first look. If real leads can come in or go out, the operator must choose a mode. */
function unchosenMode({ DISTRIBUTOR_URL, SITE_ORIGIN }: Partial<Environment>): SettingFault[] {
  const isOutside =
    DISTRIBUTOR_URL !== undefined && !isLoopbackHost(parseUrl(DISTRIBUTOR_URL)?.hostname ?? '')
  const isPublic =
    SITE_ORIGIN !== undefined && !isPrivateHost(parseUrl(SITE_ORIGIN)?.hostname ?? '')
  if (!isOutside && !isPublic) return []
  const why = isOutside
    ? 'DISTRIBUTOR_URL is outside this machine, so leads would be delivered there'
    : 'SITE_ORIGIN is a public address, so real people would enquire here'
  const message = `must be set, because ${why}. Set APP_MODE=production, or APP_MODE=demo if this is a test`
  return [{ name: 'APP_MODE', message }]
}

interface Listener {
  readonly name: 'PORT' | 'CONSOLE_PORT' | 'SANDBOX_PORT'
  readonly host: string | undefined
  readonly port: number | undefined
}

/** Without this check, the start would report that another program uses the port. */
function sharedPorts(env: Partial<Environment>): SettingFault[] {
  const { ROLE, APP_MODE } = env
  const listeners: readonly Listener[] = [
    ...(ROLE === 'console' ? [] : [{ name: 'PORT', host: env.HOST, port: env.PORT } as const]),
    ...(ROLE === 'console' || ROLE === 'all'
      ? [{ name: 'CONSOLE_PORT', host: env.CONSOLE_HOST, port: env.CONSOLE_PORT } as const]
      : []),
    ...(APP_MODE === 'demo'
      ? [{ name: 'SANDBOX_PORT', host: '127.0.0.1', port: env.SANDBOX_PORT } as const]
      : []),
  ]
  return listeners.flatMap((listener, index) => {
    const first = listeners.slice(0, index).find((other) => listenOnSameAddress(listener, other))
    if (first === undefined) return []
    return [{ name: listener.name, message: `is the same port as ${first.name}: choose another` }]
  })
}

const listenOnSameAddress = (one: Listener, other: Listener): boolean =>
  one.port !== undefined &&
  one.port > 0 &&
  one.port === other.port &&
  (addressOf(one) === addressOf(other) || [one, other].some(listensOnAllAddresses))

const addressOf = ({ host }: Listener) => (host === 'localhost' ? '127.0.0.1' : host)

const listensOnAllAddresses = ({ host }: Listener) => host === '0.0.0.0' || host === '::'

/** With one origin for both, neither a browser nor a proxy could tell the console from the site. */
const sharedOrigin = ({ SITE_ORIGIN, CONSOLE_ORIGIN }: Partial<Environment>): SettingFault[] =>
  SITE_ORIGIN !== undefined && SITE_ORIGIN === CONSOLE_ORIGIN
    ? [{ name: 'CONSOLE_ORIGIN', message: 'is the same as SITE_ORIGIN: give the console its own' }]
    : []

/** If a lease ends during a call, a second worker sends the same lead. */
function shortLease(env: Partial<Environment>): SettingFault[] {
  const { DELIVERY_TIMEOUT: timeout, DELIVERY_LEASE: lease, IP_LOOKUP_URL } = env
  if (timeout === undefined || lease === undefined) return []
  const least = shortestLease({ timeout, looksUpIp: IP_LOOKUP_URL !== '' })
  if (lease >= least) return []
  const message =
    `is too short for DELIVERY_TIMEOUT: make it at least ${Math.ceil(least / 1000)}s, or shorten the timeout. ` +
    'Otherwise a second worker could send a lead that is still being sent'
  return [{ name: 'DELIVERY_LEASE', message }]
}

/** Shorter names are too similar to those of other programs (HOST, POST, PORT). */
const minCheckedDuration = 8

const knownNames: readonly string[] = [...settingNames, ...secretFileNames]

/**
 * Finds names in the environment that differ from a setting's name by a letter or two: such a variable would silently
 * be ignored.
 */
export function misspeltNames(names: readonly string[]): SettingFault[] {
  const known = new Set(knownNames)
  return names
    .filter((name) => name.length >= minCheckedDuration && !known.has(name))
    .flatMap((name) => {
      const meant = knownNames.find(
        (candidate) => candidate.length >= minCheckedDuration && areOneEditApart(name, candidate),
      )
      return meant ? [{ name, message: `is not a setting; did you mean ${meant}?` }] : []
    })
}
