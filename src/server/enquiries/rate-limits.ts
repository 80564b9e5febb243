import { hash } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { hour } from '#domain/durations.ts'
import type { AddressServices } from '#domain/enquiry/address.ts'
import { type FunnelGroup, funnelDimensions } from '#domain/measuring/funnel.ts'
import type { RateLimitSettings } from '#server/config/settings.ts'
import { sendProblem } from '#server/platform/http/replies.ts'
import { type RequestHead, toRequestHead } from '#server/platform/http/request-head.ts'
import {
  findConnectionIp,
  findForwardedIp,
  isLoopback,
  isPrivateHost,
  listSharedNetworks,
  toNetwork,
  type VisitorIpFinder,
} from '#server/platform/http/visitor-ip.ts'
import type { EnquirySubmitter } from './submit-enquiry.ts'

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
const limitEntries = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })

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

interface RateLimitDependencies {
  readonly visitorIp: VisitorIpFinder
  readonly log: Logger
  readonly onRefused: (what: 'lead' | 'lookup' | 'visit') => void
}

export type RateLimits = Readonly<ReturnType<typeof makeRateLimits>>

/** A network counts as busy once it has used this share of its limit for leads. */
const challengeThreshold = 0.1

/** The product measures at most this many visits of one network at once; the allowance refills over an hour. */
export const visitsPerNetwork = 300
const visitWindowMs = hour

/** One network may add this many new combinations of source, campaign and so on in a burst, and as many each hour. */
export const funnelGroupsPerNetwork = 50

/** The maximum number of visits to remember. If a forgotten visit continues, it counts toward the limit again. */
const maxKnownVisits = 50_000

const tooManyLookups = 'Too many addresses are being looked up from your network right now.'

/** Limits the leads, lookups and visits of each network. Each process counts in its own memory; 0 means no limit. */
export function makeRateLimits(
  { leadsPerNetwork, lookupsPerNetwork, isProduction }: RateLimitSettings,
  { visitorIp, log, onRefused }: RateLimitDependencies,
) {
  const now = () => performance.now()
  const bucketsOf = (size: number) => makeNetworkBuckets({ size, drainsIn: rateLimitWindowMs, now })
  const leads = bucketsOf(leadsPerNetwork)
  const busy = bucketsOf(Math.ceil(leadsPerNetwork * challengeThreshold))
  const lookups = bucketsOf(lookupsPerNetwork)
  const visits = makeNetworkBuckets({ size: visitsPerNetwork, drainsIn: visitWindowMs, now })
  const groups = makeNetworkBuckets({ size: funnelGroupsPerNetwork, drainsIn: visitWindowMs, now })
  const knownGroups = new LRUCache<string, true>({
    ...limitEntries(maxKnownVisits),
    ttl: visitWindowMs,
  })
  const knownVisits = new LRUCache<string, true>(limitEntries(maxKnownVisits))
  let isProxyLogged = !isProduction
  const limitedNetwork = makeNetworkFinder(visitorIp, () => {
    if (isProxyLogged) return
    isProxyLogged = true
    log.warn(
      'visitors come through a proxy that TRUSTED_PROXIES does not name: their IP addresses are unknown, so no rate limit applies',
    )
  })
  const leadNetwork = (head: RequestHead) =>
    leadsPerNetwork > 0 ? limitedNetwork(head) : undefined

  /**
   * Counts a lookup.
   * @returns undefined if the lookup is allowed; otherwise the seconds until the next lookup is allowed
   */
  const countLookup = (head: RequestHead): number | undefined => {
    const network = lookupsPerNetwork > 0 ? limitedNetwork(head) : undefined
    if (network === undefined) return undefined
    if (lookups.isFull(network)) {
      onRefused('lookup')
      return lookups.secondsUntilRoom(network)
    }
    lookups.add(network)
    return undefined
  }
  return {
    /** A busy network must solve a proof of work. A network over its limit need not, because it must wait anyway. */
    findNetworkLoad: (head: RequestHead): 'quiet' | 'busy' => {
      const network = leadNetwork(head)
      if (network === undefined || leads.isFull(network)) return 'quiet'
      return busy.isFull(network) ? 'busy' : 'quiet'
    },
    /** Returns whether the product measures a visit. A visit's first report counts toward the limit of the network. */
    allowsVisit: (head: RequestHead, id: string): boolean => {
      if (knownVisits.has(id)) return true
      const network = limitedNetwork(head)
      if (network !== undefined) {
        if (visits.isFull(network)) {
          onRefused('visit')
          return false
        }
        visits.add(network)
      }
      knownVisits.set(id, true)
      return true
    },
    /** Returns whether the funnel may name the visit's source, campaign and so on; if not, the visit counts as *other*. */
    allowsGroup: (head: RequestHead, group: FunnelGroup): boolean => {
      const network = limitedNetwork(head)
      if (network === undefined) return true
      const values = funnelDimensions.map((dimension) => group[dimension])
      const key = hash('sha256', JSON.stringify([network, ...values]))
      if (knownGroups.has(key)) return true
      if (groups.isFull(network)) return false
      groups.add(network)
      knownGroups.set(key, true)
      return true
    },
    /** Makes `submit` refuse visitors whose network has sent too many leads. Only stored leads count. */
    limitLeads:
      (submit: EnquirySubmitter): EnquirySubmitter =>
      async (head, enquiry, idempotencyKey) => {
        const network = leadNetwork(head)
        if (network === undefined) return submit(head, enquiry, idempotencyKey)
        if (leads.isFull(network)) {
          onRefused('lead')
          return { outcome: 'refused', retryAfterSeconds: leads.secondsUntilRoom(network) }
        }
        // The lead counts before it is stored, because otherwise concurrent requests would all pass.
        leads.add(network)
        const submitted = await submit(head, enquiry, idempotencyKey)
        if (submitted.outcome !== 'stored' || submitted.result.repeated) leads.takeBack(network)
        // A full bucket gets no further units, so that a network never stays busy for longer than ten minutes.
        else if (!busy.isFull(network)) busy.add(network)
        return submitted
      },
    /** Makes the API answer 429 after too many lookups. */
    limitLookups: createMiddleware(async (c, next) => {
      const seconds = countLookup(toRequestHead(c))
      if (seconds === undefined) return next()
      c.header('Retry-After', String(seconds))
      return sendProblem(c, 429, tooManyLookups)
    }),
    /** Makes the address services of the form without JavaScript reject after too many lookups. */
    limitAddressServices: (head: RequestHead, services: AddressServices): AddressServices => {
      const limit =
        <Args extends readonly unknown[], Found>(look: (...args: Args) => Promise<Found>) =>
        async (...args: Args): Promise<Found> => {
          if (countLookup(head) !== undefined) throw new Error(tooManyLookups)
          return look(...args)
        }
      return {
        lookUpZip: limit(services.lookUpZip),
        validateAddress: limit(services.validateAddress),
      }
    },
  }
}
