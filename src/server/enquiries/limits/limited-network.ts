import type { RequestHead } from '#server/platform/http/request-head.ts'
import {
  connectionIp,
  isLoopback,
  isPrivateHost,
  nearestForwarded,
  networkOf,
  type VisitorIp,
} from '#server/platform/http/visitor-ip.ts'

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
    const forwarded = nearestForwarded(head)
    const ip = forwarded !== undefined ? visitorIp(head) : connection
    if (ip !== connection) return isLoopback(ip) ? undefined : networkOf(ip)
    // Asked first, as it costs less.
    if (!isLoopback(ip) && !isPrivateHost(ip)) return networkOf(ip)
    if (forwarded !== undefined && !isTriedOut(forwarded, connection)) onUndeclaredProxy()
    return undefined
  }
}

/** By somebody on the proxy's own machine: the address is no visitor's, whether the proxy is declared or not. */
const isTriedOut = (forwarded: string, connection: string): boolean =>
  isLoopback(forwarded) || forwarded === connection

export type LimitedNetwork = ReturnType<typeof makeLimitedNetwork>
