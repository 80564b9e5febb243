import { LRUCache } from 'lru-cache'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import {
  findConnectionIp,
  findForwardedIp,
  isLoopback,
  isPrivateHost,
  listSharedNetworks,
  toNetwork,
  type VisitorIpFinder,
} from '#server/platform/http/visitor-ip.ts'

/**
 * Makes a function that finds the network whose limit a request counts toward. The function returns undefined for an IP
 * address of this machine or of a private network, which all visitors behind a proxy may share.
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

/** Returns whether `X-Forwarded-For` names this machine or the proxy, as in a request from the proxy's own machine. */
const isFromProxyMachine = (forwarded: string, connection: string): boolean =>
  isLoopback(forwarded) || forwarded === connection

/** The period of the limits on leads, lookups and passwords, in milliseconds. */
export const rateLimitWindowMs = 10 * 60 * 1000

/** The maximum number of networks to remember, about 10 MB; a new network replaces the least recently used. */
const maxNetworks = 50_000

/** A level below this value is a rounding error, so the bucket counts as empty. */
const negligibleLevel = 1e-6

/** Limits a cache's entries. The option `max` would reserve memory for all entries at start: 10 ms for 50,000 entries. */
export const limitEntries = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })

interface BucketSettings {
  /** The number of units that fit into the bucket of an IPv4 address or of an IPv6 /64. */
  readonly size: number
  /** The time in which a full bucket drains, in milliseconds. */
  readonly drainsIn: number
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly now: () => number
}

/**
 * Makes a leaky bucket for each network. An empty bucket has room for `size` units and drains evenly. A full bucket has room
 * again after `drainsIn / size`, so people who share an IP address with a heavy user wait only seconds. A unit goes into
 * the buckets of all networks of {@link listSharedNetworks}, and a network is full if one of these buckets is.
 */
export function makeNetworkBuckets({ size, drainsIn, now }: BucketSettings, most = maxNetworks) {
  /** The time when each network's bucket will be empty, from which the bucket's level follows. */
  const emptyAt = new LRUCache<string, number>(limitEntries(most))
  const listBuckets = (network: string) =>
    listSharedNetworks(network).map(({ network: key, factor }) => {
      const room = size * factor
      /** How long one unit takes to drain, in milliseconds. */
      const perUnit = drainsIn / room
      const emptyIn = (emptyAt.get(key) ?? 0) - now()
      /** The number of units in the bucket, rounded up. */
      const level = Math.max(0, Math.ceil(emptyIn / perUnit - negligibleLevel))
      return {
        key,
        perUnit,
        level,
        isFull: level >= room,
        roomInMs: emptyIn - (room - 1) * perUnit,
      }
    })
  return {
    isFull: (network: string): boolean => listBuckets(network).some(({ isFull }) => isFull),
    /** The number of units in the bucket of the visitor's own network. */
    level: (network: string): number => listBuckets(network)[0]?.level ?? 0,
    add: (network: string): void => {
      for (const { key, perUnit } of listBuckets(network)) {
        emptyAt.set(key, Math.max(emptyAt.get(key) ?? 0, now()) + perUnit)
      }
    },
    /** Removes the unit of a request that turned out not to count. */
    takeBack: (network: string): void => {
      for (const { key, perUnit } of listBuckets(network)) {
        const before = emptyAt.get(key)
        if (before !== undefined) emptyAt.set(key, before - perUnit)
      }
    },
    /** Whole seconds until full buckets have room for another unit; at least 1. */
    secondsUntilRoom: (network: string): number =>
      Math.max(1, ...listBuckets(network).map(({ roomInMs }) => Math.ceil(roomInMs / 1000))),
  }
}
