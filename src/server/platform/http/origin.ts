import type { RequestHead } from './request-head.ts'
import { findConnectionIp, isPrivateHost, makeTrustedProxyCheck } from './visitor-ip.ts'

interface OriginSettings {
  /** The value of SITE_ORIGIN, or an origin on this machine if SITE_ORIGIN is not set. */
  readonly siteOrigin: string
  readonly isSiteOriginSet: boolean
  readonly mode: 'demo' | 'production'
  readonly trustedProxies: readonly string[]
}

export type OriginFinder = (head: RequestHead) => string

const loopback = ['127.0.0.0/8', '::1']

/**
 * Makes the function that finds the origin in the visitor's address bar. If SITE_ORIGIN is not set, a trusted proxy
 * names scheme and host; in demo mode, proxies on loopback are trusted.
 */
export function makeOriginFinder(settings: OriginSettings): OriginFinder {
  const { siteOrigin, isSiteOriginSet, mode, trustedProxies } = settings
  if (isSiteOriginSet) return () => siteOrigin
  const isTrusted = makeTrustedProxyCheck([...trustedProxies, ...(mode === 'demo' ? loopback : [])])
  return (head) =>
    (isTrusted(findConnectionIp(head)) ? findForwardedOrigin(head) : undefined) ?? siteOrigin
}

/** Matches a host and a port. Refuses any other text, because it could inject markup into a page. */
const hostShape = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/** Returns the origin that the nearest proxy names: the last entry of each header. */
function findForwardedOrigin({ header }: RequestHead): string | undefined {
  const host = takeLast(header('x-forwarded-host')) ?? header('host')
  if (host === undefined || !hostShape.test(host)) return undefined
  const isSecure = takeLast(header('x-forwarded-proto'))?.toLowerCase() === 'https'
  return URL.parse(`${isSecure ? 'https' : 'http'}://${host}`)?.origin
}

const takeLast = (list: string | undefined): string | undefined => list?.split(',').at(-1)?.trim()

/**
 * Makes the check that a writing request comes from one of our own pages. A request without `Origin` cannot be a
 * cross-site form, because browsers send the header with every POST. If SITE_ORIGIN is not set or names a private host,
 * only the hosts must match, because a proxy that ends TLS may not report the scheme.
 */
export function makeSameOriginCheck(findOrigin: OriginFinder, isSiteOriginSet: boolean) {
  return (head: RequestHead): boolean => {
    const fetchSite = head.header('sec-fetch-site')
    if (fetchSite === 'cross-site') return false
    const origin = head.header('origin')
    // A browser that hides its origin sends `null`: https://fetch.spec.whatwg.org/#origin-header
    if (origin === 'null') return fetchSite === 'same-origin'
    const own = findOrigin(head)
    if (origin === undefined || origin === own) return true
    const url = URL.parse(origin)
    if (url === null || !/^https?:$/.test(url.protocol)) return false
    const ownUrl = new URL(own)
    if (isSiteOriginSet && !(isPrivateHost(ownUrl.hostname) && isPrivateHost(url.hostname)))
      return false
    return url.host === head.header('host') || (!isSiteOriginSet && url.host === ownUrl.host)
  }
}
