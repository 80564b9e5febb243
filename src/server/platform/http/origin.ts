import type { RequestHead } from './request-head.ts'
import { connectionIp, isPrivateHost, makeIsTrusted } from './visitor-ip.ts'

interface OriginSettings {
  /** SITE_ORIGIN, or this machine's address if it is not set. */
  readonly siteOrigin: string
  readonly isSiteOriginSet: boolean
  readonly mode: 'demo' | 'production'
  readonly trustedProxies: readonly string[]
}

export type OriginOf = (head: RequestHead) => string

const loopback = ['127.0.0.0/8', '::1']

/**
 * Finds the origin in the visitor's address bar: SITE_ORIGIN, or, if that is not set, the scheme and host that a
 * trusted proxy names. In demo mode, loopback is trusted.
 */
export function makeOriginOf(settings: OriginSettings): OriginOf {
  const { siteOrigin, isSiteOriginSet, mode, trustedProxies } = settings
  if (isSiteOriginSet) return () => siteOrigin
  const isTrusted = makeIsTrusted([...trustedProxies, ...(mode === 'demo' ? loopback : [])])
  return (head) => (isTrusted(connectionIp(head)) ? namedOrigin(head) : undefined) ?? siteOrigin
}

/** Matches a host and a port. Any other text could break out of its place in a page. */
const hostShape = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

const maxHostLength = 260

/** The origin that the nearest proxy names, which is the last entry of each header. */
function namedOrigin(head: RequestHead): string | undefined {
  const { scheme, host = head.header('host') } = forwarded(head)
  if (host === undefined || host.length > maxHostLength || !hostShape.test(host)) return undefined
  return URL.parse(`${scheme?.toLowerCase() === 'https' ? 'https' : 'http'}://${host}`)?.origin
}

/**
 * Reads `Forwarded` only without `X-Forwarded-…`: a proxy that sends the latter passes on a `Forwarded` that a visitor
 * made up.
 */
function forwarded(head: RequestHead): { scheme?: string | undefined; host?: string | undefined } {
  const scheme = last(head.header('x-forwarded-proto'))
  const host = last(head.header('x-forwarded-host'))
  if (scheme !== undefined || host !== undefined) return { scheme, host }
  const nearest = last(head.header('forwarded'))
  return { scheme: parameter(nearest, 'proto'), host: parameter(nearest, 'host') }
}

const last = (list: string | undefined): string | undefined => list?.split(',').at(-1)?.trim()

/** Reads a parameter of one element of `Forwarded`: https://www.rfc-editor.org/rfc/rfc7239#section-4 */
function parameter(element: string | undefined, name: string): string | undefined {
  for (const pair of element?.split(';') ?? []) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (key.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/**
 * Whether a writing request comes from one of our own pages. A request without `Origin` is not a cross-site form,
 * because browsers send the header with every POST. If SITE_ORIGIN is not set or names a private host, only the hosts
 * must match: a proxy that ends TLS may not report the scheme.
 */
export function makeIsSameOrigin(originOf: OriginOf, isSiteOriginSet: boolean) {
  return (head: RequestHead): boolean => {
    const fetchSite = head.header('sec-fetch-site')
    if (fetchSite === 'cross-site') return false
    const origin = head.header('origin')
    // A browser that hides its origin sends `null`: https://fetch.spec.whatwg.org/#origin-header
    if (origin === 'null') return fetchSite === 'same-origin'
    const own = originOf(head)
    if (origin === undefined || origin === own) return true
    const { protocol, host, hostname } = URL.parse(origin) ?? {}
    if (host === undefined || hostname === undefined || !/^https?:$/.test(protocol ?? ''))
      return false
    const ownUrl = new URL(own)
    if (isSiteOriginSet && !(isPrivateHost(ownUrl.hostname) && isPrivateHost(hostname)))
      return false
    return host === head.header('host') || (!isSiteOriginSet && host === ownUrl.host)
  }
}

export type IsSameOrigin = ReturnType<typeof makeIsSameOrigin>
