import { LRUCache } from 'lru-cache'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import {
  findConnectionIp,
  findForwardedIp,
  isLoopback,
  isPrivateHost,
  toNetwork,
  type VisitorIpFinder,
} from '#server/platform/http/visitor-ip.ts'

/**
 * Makes a function that finds the network whose limit a request counts toward. It returns undefined for an address of this
 * machine or a private network, which all visitors behind a proxy may share.
 * @param onUndeclaredProxy called for each visitor who comes through a proxy that TRUSTED_PROXIES does not name
 */
export function makeNetworkFinder(visitorIp: VisitorIpFinder, onUndeclaredProxy: () => void) {
  return (head: RequestHead): string | undefined => {
    const connection = findConnectionIp(head)
    const forwarded = findForwardedIp(head)
    const ip = forwarded !== undefined ? visitorIp(head) : connection
    if (ip !== connection) return isLoopback(ip) ? undefined : toNetwork(ip)
    if (!isLoopback(ip) && !isPrivateHost(ip)) return toNetwork(ip)
    if (forwarded !== undefined && !isFromProxyMachine(forwarded, connection)) onUndeclaredProxy()
    return undefined
  }
}

/** If the header names this machine or the proxy itself, the request comes from the proxy's machine. */
const isFromProxyMachine = (forwarded: string, connection: string): boolean =>
  isLoopback(forwarded) || forwarded === connection

/** The period of all rate limits, in milliseconds. */
export const rateLimitWindowMs = 10 * 60 * 1000

/** The maximum number of networks to remember, about 10 MB; a new network replaces the least recently used. */
const maxNetworks = 50_000

/** A level below this is a rounding error: the bucket counts as empty. */
const negligibleLevel = 1e-6

interface BucketSettings {
  /** The number of units that fit into a bucket. */
  readonly size: number
  /** The time in which a full bucket drains, in milliseconds. */
  readonly drainsIn: number
  /** The monotonic clock, in milliseconds. */
  readonly now: () => number
}

/**
 * Makes a leaky bucket for each network. It takes `size` units at once and drains evenly, so a full bucket has room again
 * after `drainsIn / size`: people who share an IP address with a heavy user wait for seconds.
 */
export function makeNetworkBuckets({ size, drainsIn, now }: BucketSettings, most = maxNetworks) {
  /** The time when each network's bucket will be empty, from which the bucket's level follows. */
  // With `max`, the cache would take the memory and 10 ms of each start at once.
  const emptyAt = new LRUCache<string, number>({ maxSize: most, sizeCalculation: () => 1 })
  /** The milliseconds in which one unit drains. */
  const perUnit = drainsIn / size
  /** The number of units in a network's bucket, rounded up. */
  const level = (network: string): number => {
    const emptyIn = (emptyAt.get(network) ?? 0) - now()
    return Math.max(0, Math.ceil(emptyIn / perUnit - negligibleLevel))
  }
  return {
    level,
    isFull: (network: string): boolean => level(network) >= size,
    add: (network: string): void => {
      const drainsFrom = Math.max(emptyAt.get(network) ?? 0, now())
      emptyAt.set(network, drainsFrom + perUnit)
    },
    /** Removes a unit that was added for a request that does not count. */
    takeBack: (network: string): void => {
      const before = emptyAt.get(network)
      if (before !== undefined) emptyAt.set(network, before - perUnit)
    },
    /** Whole seconds until a full bucket has room for another unit; at least 1. */
    secondsUntilRoom: (network: string): number => {
      const fullUntil = (emptyAt.get(network) ?? 0) - (size - 1) * perUnit
      return Math.max(1, Math.ceil((fullUntil - now()) / 1000))
    },
  }
}
