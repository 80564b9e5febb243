import { shortestLease } from '#domain/delivery/shortest-lease.ts'
import { isLoopbackHost, isPrivateHost } from '#server/platform/http/private-host.ts'
import type { Environment } from './environment.ts'
import type { SettingFault } from './production-faults.ts'
import { parseUrl } from './value-rules.ts'

/**
 * Settings that are valid one by one, and wrong together. A setting that has a fault of its own is undefined here, and is
 * not compared.
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

/** Demo mode by default is for a first look. Where real leads can come in or go out, the operator must choose a mode. */
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

/** Without this check, the start would report that another program has the port. */
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
    const first = listeners.slice(0, index).find((other) => collide(listener, other))
    if (first === undefined) return []
    return [{ name: listener.name, message: `is the same port as ${first.name}: choose another` }]
  })
}

const collide = (one: Listener, other: Listener): boolean =>
  one.port !== undefined &&
  one.port > 0 &&
  one.port === other.port &&
  (addressOf(one) === addressOf(other) || [one, other].some(takesEveryAddress))

const addressOf = ({ host }: Listener) => (host === 'localhost' ? '127.0.0.1' : host)

const takesEveryAddress = ({ host }: Listener) => host === '0.0.0.0' || host === '::'

/** A browser could not tell the console from the site, nor could the proxy in front of them. */
const sharedOrigin = ({ SITE_ORIGIN, CONSOLE_ORIGIN }: Partial<Environment>): SettingFault[] =>
  SITE_ORIGIN !== undefined && SITE_ORIGIN === CONSOLE_ORIGIN
    ? [{ name: 'CONSOLE_ORIGIN', message: 'is the same as SITE_ORIGIN: give the console its own' }]
    : []

/** A lease that ends during a call lets a second worker send the same lead. */
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
