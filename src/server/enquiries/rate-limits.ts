import { hash } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { AddressServices } from '#domain/enquiry/address.ts'
import { type FunnelGroup, funnelDimensions } from '#domain/measuring/funnel.ts'
import type { RateLimitSettings } from '#server/config/settings.ts'
import { sendProblem } from '#server/platform/http/replies.ts'
import { type RequestHead, toRequestHead } from '#server/platform/http/request-head.ts'
import type { VisitorIpFinder } from '#server/platform/http/visitor-ip.ts'
import {
  limitEntries,
  makeNetworkBuckets,
  makeNetworkFinder,
  rateLimitWindowMs,
} from './network-buckets.ts'
import type { EnquirySubmitter } from './submit-enquiry.ts'

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
const visitWindowMs = 60 * 60 * 1000

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
        if (submitted.outcome !== 'stored' || submitted.lead.repeated) leads.takeBack(network)
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
      const counted =
        <Arguments extends unknown[], Reply>(lookUp: (...args: Arguments) => Promise<Reply>) =>
        async (...args: Arguments): Promise<Reply> => {
          if (countLookup(head) !== undefined) throw new Error(tooManyLookups)
          return lookUp(...args)
        }
      return {
        lookUpZip: counted(services.lookUpZip),
        validateAddress: counted(services.validateAddress),
      }
    },
  }
}
