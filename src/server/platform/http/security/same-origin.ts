import { isPrivateHost } from '../private-host.ts'
import type { RequestHead } from '../request-head.ts'
import type { OriginOf } from './origin-of.ts'

interface OriginPorts {
  readonly originOf: OriginOf
  readonly isSiteOriginSet: boolean
}

/**
 * Whether a writing request comes from one of our own pages. A request without `Origin` is no browser's cross-site
 * form: browsers send the header with every POST. Where SITE_ORIGIN is not set, or names a private host, the page's host
 * must be the one that was asked; its scheme does not count, as a proxy that ends TLS need not say so.
 */
export function makeIsSameOrigin({ originOf, isSiteOriginSet }: OriginPorts) {
  return (head: RequestHead): boolean => {
    const fetchSite = head.header('sec-fetch-site')
    if (fetchSite === 'cross-site') return false
    const origin = head.header('origin')
    // A browser that is told not to say where it comes from says so: https://fetch.spec.whatwg.org/#origin-header
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
