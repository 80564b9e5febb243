import { isLoopback, networkOf } from '#server/use-cases/network-of.ts'
import { isPrivateHost } from '../../config/private-host.ts'
import type { RequestHead } from '../request-head.ts'
import { connectionIp, type VisitorIp } from '../visitor-ip.ts'

interface LimitedNetworkPorts {
  readonly visitorIp: VisitorIp
  /** Visitors come through somebody whom TRUSTED_PROXIES does not name: called for each of them. */
  readonly onUndeclaredProxy: () => void
}

/**
 * The network that a request is counted with; undefined where its address says nothing about a visitor, and all of
 * them would be counted as one: what comes from this machine itself (an operator who tries it out, a check), and from
 * a private network (a proxy nobody declared, a container's gateway).
 */
export function makeLimitedNetwork({ visitorIp, onUndeclaredProxy }: LimitedNetworkPorts) {
  return (head: RequestHead): string | undefined => {
    const connection = connectionIp(head)
    const isForwarded = head.header('x-forwarded-for') !== undefined
    const ip = isForwarded ? visitorIp(head) : connection
    if (ip !== connection) return isLoopback(ip) ? undefined : networkOf(ip)
    // Asked first, as it costs less.
    if (!isLoopback(ip) && !isPrivateHost(ip)) return networkOf(ip)
    if (isForwarded) onUndeclaredProxy()
    return undefined
  }
}

export type LimitedNetwork = ReturnType<typeof makeLimitedNetwork>
