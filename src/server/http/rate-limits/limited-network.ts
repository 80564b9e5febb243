import type { Context } from 'hono'
import { isPrivateHost } from '../../config/private-host.ts'
import { connectionIp, type VisitorIp } from '../visitor-ip.ts'
import { isLoopback, networkOf } from './network-of.ts'

interface LimitedNetworkPorts {
  readonly visitorIp: VisitorIp
  /** Visitors come through somebody whom TRUSTED_PROXIES does not name: called for each of them. */
  readonly onUndeclaredProxy: () => void
}

/**
 * The network that a request is counted with; undefined where its address says nothing about a visitor, and all of
 * them would be counted as one: what comes from this machine itself (an operator who tries it out, a check, a proxy
 * nobody declared), and what a private address forwards without being trusted.
 */
export function makeLimitedNetwork({ visitorIp, onUndeclaredProxy }: LimitedNetworkPorts) {
  return (c: Context): string | undefined => {
    const connection = connectionIp(c)
    const isForwarded = c.req.header('x-forwarded-for') !== undefined
    const ip = isForwarded ? visitorIp(c) : connection
    if (isForwarded && ip === connection && isPrivateHost(ip)) {
      onUndeclaredProxy()
      return undefined
    }
    return isLoopback(ip) ? undefined : networkOf(ip)
  }
}

export type LimitedNetwork = ReturnType<typeof makeLimitedNetwork>
