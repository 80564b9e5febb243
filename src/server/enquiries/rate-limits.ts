import { hash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { AddressServices } from '#domain/enquiry/address.ts'
import { type FunnelGroup, funnelDimensions } from '#domain/measuring/funnel.ts'
import type { RateLimitSettings } from '#server/config/settings.ts'
import { sendProblem } from '#server/platform/http/replies.ts'
import { type RequestHead, toRequestHead } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'
import { makeNetworkBuckets, makeNetworkFinder, rateLimitWindowMs } from './rate-limited-network.ts'
import type { SubmitEnquiry } from './submit-enquiry.ts'

interface RateLimitDependencies {
  readonly visitorIp: VisitorIp
  readonly log: Logger
  readonly onRefused: (what: 'lead' | 'lookup' | 'visit') => void
}

export type RateLimits = Readonly<ReturnType<typeof makeRateLimits>>

/** The share of its limit at which a network becomes busy. */
const challengeThreshold = 0.1

/** How many visits of a network are measured at once and per hour, so that made-up visits change no count by more. */
export const visitsPerNetwork = 300
const visitWindowMs = 60 * 60 * 1000

/**
 * How many groups of visits, such as one program of one campaign, a network may name at once and per hour, because all
 * networks share the groups of an hour.
 */
export const groupsPerNetwork = 50

/** The most visits to remember; a forgotten visit that continues takes another share of its network's limit. */
const maxKnownVisits = 50_000

const tooManyLookups = 'too many addresses are being looked up from your network right now'

/**
 * Limits how many leads a network may send and how many addresses it may look up, because the operator may pay for each
 * lookup. Each process counts in its own memory; a limit of 0 means no limit.
 */
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
  const groups = makeNetworkBuckets({ size: groupsPerNetwork, drainsIn: visitWindowMs, now })
  const knownGroups = new LRUCache<string, true>({ max: maxKnownVisits, ttl: visitWindowMs })
  const knownVisits = new LRUCache<string, true>({ max: maxKnownVisits })
  let isProxyLogged = !isProduction
  const limitedNetwork = makeNetworkFinder(visitorIp, () => {
    if (isProxyLogged) return
    isProxyLogged = true
    log.warn(
      'visitors come through a proxy that TRUSTED_PROXIES does not name: their addresses are not known, and they are not limited',
    )
  })
  const leadNetwork = (head: RequestHead) =>
    leadsPerNetwork > 0 ? limitedNetwork(head) : undefined

  /** Counts a lookup. @returns undefined if the lookup is allowed; otherwise the seconds until the next allowed lookup */
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
  const limitLookups: MiddlewareHandler = createMiddleware(async (c, next) => {
    const seconds = countLookup(toRequestHead(c))
    if (seconds === undefined) return next()
    c.header('Retry-After', String(seconds))
    return sendProblem(c, 429, tooManyLookups)
  })
  return {
    /** A busy network must solve a proof of work, unless it has to wait anyway. */
    networkLoad: (head: RequestHead): 'quiet' | 'busy' => {
      const network = leadNetwork(head)
      if (network === undefined || leads.isFull(network)) return 'quiet'
      return busy.isFull(network) ? 'busy' : 'quiet'
    },
    /** Whether a visit is measured. The first report of a visit counts toward the limit of its network. */
    takesVisit: (head: RequestHead, id: string): boolean => {
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
    /** Whether a visit counts in its own group; otherwise it counts as another one. */
    takesGroup: (head: RequestHead, group: FunnelGroup): boolean => {
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
    /** Wraps `submit` to refuse visitors whose network has sent too many leads. Only stored leads count. */
    limitLeads:
      (submit: SubmitEnquiry): SubmitEnquiry =>
      async (head, enquiry, idempotencyKey) => {
        const network = leadNetwork(head)
        if (network === undefined) return submit(head, enquiry, idempotencyKey)
        if (leads.isFull(network)) {
          onRefused('lead')
          return { outcome: 'refused', retryAfterSeconds: leads.secondsUntilRoom(network) }
        }
        // The lead is counted before it is stored; otherwise concurrent requests would all pass.
        leads.add(network)
        const submitted = await submit(head, enquiry, idempotencyKey)
        if (submitted.outcome !== 'stored' || submitted.lead.repeated) leads.takeBack(network)
        // A network that was busy for ten minutes must not stay busy for an hour, so a full bucket gets no more.
        else if (!busy.isFull(network)) busy.add(network)
        return submitted
      },
    /** Middleware of the API that answers 429 after too many lookups. */
    limitLookups,
    /** Wraps the address services for the form without JavaScript; they reject after too many lookups. */
    limitedServices: (head: RequestHead, services: AddressServices): AddressServices => {
      const counted =
        <Arguments extends unknown[], Reply>(look: (...args: Arguments) => Promise<Reply>) =>
        async (...args: Arguments): Promise<Reply> => {
          if (countLookup(head) !== undefined) throw new Error(tooManyLookups)
          return look(...args)
        }
      return {
        lookUpZip: counted(services.lookUpZip),
        validateAddress: counted(services.validateAddress),
      }
    },
  }
}
