import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { AddressServices } from '#domain/enquiry/address.ts'
import type { RateLimitSettings } from '#server/config/settings.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'
import type { SubmitEnquiry } from '../submit-enquiry.ts'
import { LeadLimit, type NetworkLoad } from './lead-limit.ts'
import { makeLimitedNetwork } from './limited-network.ts'
import { LookupLimit } from './lookup-limit.ts'

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
