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

/** Limits what one network may do. Each process counts in its own memory. */
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

/** `busy` networks must solve a proof of work; `refused` ones must wait. */
export type NetworkLoad = 'free' | 'busy' | 'refused'

interface LeadLimitPorts {
  /** Leads of one network in ten minutes. */
  readonly most: number
  readonly limitedNetwork: LimitedNetwork
  /** Milliseconds that never go back. */
  readonly now: () => number
  readonly onRefused: () => void
}

/** A network is busy from a tenth of its limit on. */
const busyShare = 0.1

/** Enough for every lead of the last minutes whose reply may have been lost. */
const mostRepeatable = 10_000

/** Counts each network's stored leads; invalid and failed requests do not count. */
export class LeadLimit {
  readonly #ports: LeadLimitPorts
  readonly #all: NetworkBuckets
  readonly #unhurried: NetworkBuckets
  /** By digest, so that a repeated request succeeds even where a new one would be refused. */
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

  /** The load of the request's network; an uncounted network is free. */
  loadOf(head: RequestHead): NetworkLoad {
    const network = this.#ports.limitedNetwork(head)
    if (network === undefined) return 'free'
    if (this.#all.isFull(network)) return 'refused'
    return this.#unhurried.isFull(network) ? 'busy' : 'free'
  }

  /** The same function, which refuses a visitor whose network has sent too many leads. */
  limit(submit: SubmitEnquiry): SubmitEnquiry {
    return async (head, enquiry, idempotencyKey) => {
      const network = this.#ports.limitedNetwork(head)
      if (network === undefined) return submit(head, enquiry, idempotencyKey)
      const digest = enquiryDigest(idempotencyKey, enquiry)
      if (this.#all.isFull(network)) return this.#refuse(network, digest)
      // Counts before storing; otherwise requests at the same moment would all pass.
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
    // Never above full: a network that was busy for ten minutes must not stay busy for an hour.
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

/** Counts each network's lookups, as the operator may pay for each. */
export class LookupLimit {
  readonly #ports: LookupLimitPorts
  readonly #buckets: NetworkBuckets

  constructor(ports: LookupLimitPorts) {
    this.#ports = ports
    this.#buckets = new NetworkBuckets({ size: ports.most, drainsIn: limitedOver, now: ports.now })
  }

  /** For the API: answers 429 after too many lookups. */
  readonly middleware = createMiddleware(async (c, next) => {
    const network = this.#refusedNetwork(headOf(c))
    if (network === undefined) return next()
    c.header('Retry-After', String(this.#buckets.secondsUntilRoom(network)))
    return problem(c, 429, tooManyLookups)
  })

  /** For the posted form: services that reject after too many lookups. The visitor then types city and state. */
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

  /** Counts one lookup; returns the network if it is one too many, else undefined. */
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
