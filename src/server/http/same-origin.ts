import { isPrivateHost } from '../config/private-host.ts'

/**
 * Whether a writing request comes from one of our own pages. A request without `Origin` is no browser's cross-site
 * form: browsers send the header with every POST.
 * @param siteOrigin on a loopback origin, any other name of this machine will do, as long as it is the one asked for
 */
export function makeIsSameOrigin(siteOrigin: string) {
  const isLocal = isPrivateHost(new URL(siteOrigin).hostname)
  return (headers: Headers): boolean => {
    if (headers.get('sec-fetch-site') === 'cross-site') return false
    const origin = headers.get('origin')
    if (origin === null || origin === siteOrigin) return true
    if (!isLocal || !URL.canParse(origin)) return false
    const { host, hostname } = new URL(origin)
    return host === headers.get('host') && isPrivateHost(hostname)
  }
}

export type IsSameOrigin = ReturnType<typeof makeIsSameOrigin>
