import { isPrivateHost } from '#server/config/private-host.ts'
import type { RequestHead } from '../request-head.ts'

/**
 * Whether a writing request comes from one of our own pages. A request without `Origin` is no browser's cross-site
 * form: browsers send the header with every POST.
 * @param siteOrigin on a loopback origin, any other name of this machine will do, as long as it is the one asked for
 */
export function makeIsSameOrigin(siteOrigin: string) {
  const isLocal = isPrivateHost(new URL(siteOrigin).hostname)
  return (head: RequestHead): boolean => {
    const fetchSite = head.header('sec-fetch-site')
    if (fetchSite === 'cross-site') return false
    const origin = head.header('origin')
    // A browser that is told not to say where it comes from says so: https://fetch.spec.whatwg.org/#origin-header
    if (origin === 'null') return fetchSite === 'same-origin'
    if (origin === undefined || origin === siteOrigin) return true
    if (!isLocal || !URL.canParse(origin)) return false
    const { host, hostname } = new URL(origin)
    return host === head.header('host') && isPrivateHost(hostname)
  }
}

export type IsSameOrigin = ReturnType<typeof makeIsSameOrigin>
