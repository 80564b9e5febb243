import { LRUCache } from 'lru-cache'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import type { AcceptedLead } from '../accept-enquiry.ts'
import { enquiryDigest } from '../enquiry-digest.ts'
import type { SubmitEnquiry, Submitted } from '../submit-enquiry.ts'
import type { LimitedNetwork } from './limited-network.ts'
import { limitedOver, NetworkBuckets } from './network-buckets.ts'

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
