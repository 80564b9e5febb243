import { createMiddleware } from 'hono/factory'
import type { AddressServices } from '#domain/enquiry/address.ts'
import { problem } from '#server/platform/http/replies.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'
import type { LimitedNetwork } from './limited-network.ts'
import { limitedOver, NetworkBuckets } from './network-buckets.ts'

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
