import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { AddressServices } from '#domain/enquiry/address.ts'
import type { RateLimitSettings } from '#server/config/settings.ts'
import { problem } from '#server/platform/http/replies.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'
import {
  type LimitedNetwork,
  limitedOver,
  makeLimitedNetwork,
  NetworkBuckets,
} from './limited-network.ts'
import type { AcceptedLead } from './store-arrivals.ts'
import { enquiryDigest, type SubmitEnquiry, type Submitted } from './submit-enquiry.ts'

interface RateLimitPorts {
  readonly visitorIp: VisitorIp
  readonly log: Logger
  readonly onRefused: (what: 'lead' | 'lookup') => void
  /** Milliseconds that never go back. */
  readonly now?: () => number
}

export interface RateLimits {
  readonly networkLoad: (head: RequestHead) => NetworkLoad
  readonly limitLeads: (submit: SubmitEnquiry) => SubmitEnquiry
  readonly limitLookups: MiddlewareHandler
  readonly limitedServices: (head: RequestHead, services: AddressServices) => AddressServices
}

/** How much one network may do. In the memory of this process: several processes each count for themselves. */
export function makeRateLimits(
  { leadsPerNetwork, lookupsPerNetwork, isProduction }: RateLimitSettings,
  { visitorIp, log, onRefused, now = () => performance.now() }: RateLimitPorts,
): RateLimits {
  let isProxyToBeTold = isProduction
  const limitedNetwork = makeLimitedNetwork({
    visitorIp,
    onUndeclaredProxy: () => {
      if (!isProxyToBeTold) return
      isProxyToBeTold = false
      log.warn(
        'visitors come through a proxy that TRUSTED_PROXIES does not name: their addresses are not known, and they are not limited',
      )
    },
  })
  const leads =
    leadsPerNetwork > 0
      ? new LeadLimit({
          most: leadsPerNetwork,
          limitedNetwork,
          now,
          onRefused: () => onRefused('lead'),
        })
      : undefined
  const lookups =
    lookupsPerNetwork > 0
      ? new LookupLimit({
          most: lookupsPerNetwork,
          limitedNetwork,
          now,
          onRefused: () => onRefused('lookup'),
        })
      : undefined
  return {
    networkLoad: (head) => leads?.loadOf(head) ?? 'free',
    limitLeads: (submit) => leads?.limit(submit) ?? submit,
    limitLookups: lookups?.middleware ?? ((_, next) => next()),
    limitedServices: (head, services) => lookups?.servicesFor(head, services) ?? services,
  }
}

/** What a network may still do: be asked for no more than usual, be asked to prove itself, or wait. */
export type NetworkLoad = 'free' | 'busy' | 'refused'

interface LeadLimitPorts {
  /** Leads of one network in ten minutes. */
  readonly most: number
  readonly limitedNetwork: LimitedNetwork
  /** Milliseconds that never go back. */
  readonly now: () => number
  readonly onRefused: () => void
}

/** From a tenth of the limit on a network is busy. */
const busyShare = 0.1

/** Enough for every lead of the last minutes whose answer may have been lost on its way. */
const mostRepeatable = 10_000

/** Counts the leads of each network: those that were stored, neither what had to be corrected nor what failed. */
export class LeadLimit {
  readonly #ports: LeadLimitPorts
  readonly #all: NetworkBuckets
  readonly #unhurried: NetworkBuckets
  /** By its digest, so that a repeated call is answered even where a new one, or a correction, would not be. */
  readonly #accepted = new LRUCache<string, AcceptedLead>({ max: mostRepeatable })

  constructor(ports: LeadLimitPorts) {
    const { most, now } = ports
    this.#ports = ports
    this.#all = new NetworkBuckets({ size: most, drainsIn: limitedOver, now })
    this.#unhurried = new NetworkBuckets({
      size: Math.ceil(most * busyShare),
      drainsIn: limitedOver,
      now,
    })
  }

  /** How much the request’s network sends; one that is not counted is free. */
  loadOf(head: RequestHead): NetworkLoad {
    const network = this.#ports.limitedNetwork(head)
    if (network === undefined) return 'free'
    if (this.#all.isFull(network)) return 'refused'
    return this.#unhurried.isFull(network) ? 'busy' : 'free'
  }

  /** The same, but refused where the visitor's network has sent too many. */
  limit(submit: SubmitEnquiry): SubmitEnquiry {
    return async (head, enquiry, idempotencyKey) => {
      const network = this.#ports.limitedNetwork(head)
      if (network === undefined) return submit(head, enquiry, idempotencyKey)
      const digest = enquiryDigest(idempotencyKey, enquiry)
      if (this.#all.isFull(network)) return this.#refuse(network, digest)
      // Counted before it is stored, or as many as come at once would pass.
      this.#all.add(network)
      const submitted = await submit(head, enquiry, idempotencyKey)
      this.#settle(network, digest, submitted)
      return submitted
    }
  }

  #refuse(network: string, digest: string): Submitted {
    const lead = this.#accepted.get(digest)
    if (lead !== undefined) return { outcome: 'stored', lead: { ...lead, repeated: true } }
    this.#ports.onRefused()
    return { outcome: 'refused', retryAfterSeconds: this.#all.secondsUntilRoom(network) }
  }

  #settle(network: string, digest: string, submitted: Submitted): void {
    if (submitted.outcome === 'stored') this.#accepted.set(digest, submitted.lead)
    if (submitted.outcome !== 'stored' || submitted.lead.repeated) {
      this.#all.takeBack(network)
      return
    }
    // No fuller than full: who was busy for ten minutes is not busy for an hour.
    if (!this.#unhurried.isFull(network)) this.#unhurried.add(network)
  }
}

interface LookupLimitPorts {
  /** Lookups of one network in ten minutes. */
  readonly most: number
  readonly limitedNetwork: LimitedNetwork
  /** Milliseconds that never go back. */
  readonly now: () => number
  readonly onRefused: () => void
}

const tooManyLookups = 'too many addresses are being looked up from your network right now'

/** Counts the lookups that each network causes: each may be a call that the operator pays for. */
export class LookupLimit {
  readonly #ports: LookupLimitPorts
  readonly #buckets: NetworkBuckets

  constructor(ports: LookupLimitPorts) {
    this.#ports = ports
    this.#buckets = new NetworkBuckets({ size: ports.most, drainsIn: limitedOver, now: ports.now })
  }

  /** For calls of the own API: 429 where too many came. */
  readonly middleware = createMiddleware(async (c, next) => {
    const network = this.#refusedNetwork(headOf(c))
    if (network === undefined) return next()
    c.header('Retry-After', String(this.#buckets.secondsUntilRoom(network)))
    return problem(c, 429, tooManyLookups)
  })

  /** For the posted form: the same services, which reject where too many came. Its visitor goes on by hand. */
  servicesFor(head: RequestHead, services: AddressServices): AddressServices {
    const counted =
      <Arguments extends unknown[], Reply>(look: (...args: Arguments) => Promise<Reply>) =>
      async (...args: Arguments): Promise<Reply> => {
        if (this.#refusedNetwork(head) !== undefined) throw new Error(tooManyLookups)
        return look(...args)
      }
    return {
      lookUpZip: counted(services.lookUpZip),
      validateAddress: counted(services.validateAddress),
    }
  }

  /** Counts one lookup. The network's name where it is one too many, else undefined. */
  #refusedNetwork(head: RequestHead): string | undefined {
    const network = this.#ports.limitedNetwork(head)
    if (network === undefined) return undefined
    if (!this.#buckets.isFull(network)) {
      this.#buckets.add(network)
      return undefined
    }
    this.#ports.onRefused()
    return network
  }
}
