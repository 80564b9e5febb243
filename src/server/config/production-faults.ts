import { isLoopbackHost, isPrivateHost } from '#server/platform/http/private-host.ts'
import { declarationOf, type Environment, type SettingName, settingNames } from './environment.ts'
import { parseUrl } from './value-rules.ts'

export interface SettingFault {
  readonly name: string
  /** Follows the name in a sentence. */
  readonly message: string
}

const sharesNoStore =
  'is for one of several processes: set DATABASE_URL to the PostgreSQL database that they share. On SQLite one ' +
  'process does all (ROLE=all)'

const inTheClear =
  'must be https: plain http is for a console that is reached at this machine alone (CONSOLE_HOST and CONSOLE_ORIGIN on ' +
  'loopback); elsewhere a proxy gives it https'

/**
 * What production refuses to start on: missing values, demo values, plain http to the outside, and a store that only
 * one of two processes would see (reading 6).
 */
export function productionFaults(env: Partial<Environment>): SettingFault[] {
  const faults = settingNames.flatMap((name) => {
    const message = faultMessage(name, env)
    return message === undefined ? [] : [{ name, message }]
  })
  return [
    ...faults,
    ...(env.ROLE !== 'all' && env.DATABASE_URL === undefined
      ? [{ name: 'ROLE', message: sharesNoStore }]
      : []),
    ...(isConsoleInTheClear(env) ? [{ name: 'CONSOLE_ORIGIN', message: inTheClear }] : []),
  ]
}

/** Its sign-in would cross a network for anybody to read, a private one too. */
function isConsoleInTheClear({
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
  if (inDemo !== undefined && value === inDemo && !isNeedless(needlessWith, env)) {
    const without = needlessWith === undefined ? '' : `; ${needlessWith} does without one`
    return `is missing, or still the demo value: set it to ${means}${without}`
  }
  // Each that is an address is one that data or visitors are sent to.
  return typeof value === 'string' && isPlainHttpToOutside(value)
    ? 'must be https: plain http is only for loopback and private hosts'
    : undefined
}

/** @param condition `NAME=value` */
function isNeedless(condition: string | undefined, env: Partial<Environment>): boolean {
  const [name, value] = condition?.split('=') ?? []
  return settingNames.some((known) => known === name && env[known] === value)
}

function isPlainHttpToOutside(value: string): boolean {
  const url = parseUrl(value)
  return url?.protocol === 'http:' && !isPrivateHost(url.hostname)
}
