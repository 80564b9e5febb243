import { LRUCache } from 'lru-cache'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import {
  connectionIp,
  isLoopback,
  isPrivateHost,
  nearestForwarded,
  networkOf,
  type VisitorIp,
} from '#server/platform/http/visitor-ip.ts'

/**
 * The network that a request is counted with; undefined if its address says nothing about a visitor, so that all of them
 * would be counted as one: requests from this machine (an operator who tries it out, a check) and from a private network (an
 * undeclared proxy, a container's gateway).
 * @param onUndeclaredProxy called for each visitor who comes through a proxy that TRUSTED_PROXIES does not name
 */
export function makeLimitedNetwork(visitorIp: VisitorIp, onUndeclaredProxy: () => void) {
  return (head: RequestHead): string | undefined => {
    const connection = connectionIp(head)
    const forwarded = nearestForwarded(head)
    const ip = forwarded !== undefined ? visitorIp(head) : connection
    if (ip !== connection) return isLoopback(ip) ? undefined : networkOf(ip)
    // Asked first, as it costs less.
    if (!isLoopback(ip) && !isPrivateHost(ip)) return networkOf(ip)
    if (forwarded !== undefined && !isForgeryAttempt(forwarded, connection)) onUndeclaredProxy()
    return undefined
  }
}

/** By somebody on the proxy's own machine: the address is no visitor's, whether the proxy is declared or not. */
const isForgeryAttempt = (forwarded: string, connection: string): boolean =>
  isLoopback(forwarded) || forwarded === connection

/** The time that every limit is counted over, in milliseconds. */
export const limitWindowMs = 10 * 60 * 1000

/** So many networks are remembered, about 10 MB of them; then the one longest quiet is forgotten, and is free again. */
const maxNetworks = 50_000

/** Fractions of a unit that arithmetic leaves over. */
const negligibleLevel = 1e-6

interface BucketSettings {
  /** Units that fit in. */
  readonly size: number
  /** Milliseconds in which a full bucket drains. */
  readonly drainsIn: number
  /** The monotonic clock, in milliseconds. */
  readonly now: () => number
}

/**
 * A leaking bucket for each network: it takes `size` units at once, and drains evenly. A full one has room again after
 * `drainsIn / size`, so that those who share an address with somebody greedy wait for seconds, not for a window's end.
 */
export class NetworkBuckets {
  /** When each network's bucket is empty: its whole state. */
  readonly #emptyAt: LRUCache<string, number>
  readonly #size: number
  /** Milliseconds that one unit takes to drain. */
  readonly #perUnit: number
  readonly #now: () => number

  constructor({ size, drainsIn, now }: BucketSettings, most = maxNetworks) {
    this.#emptyAt = new LRUCache({ max: most })
    this.#size = size
    this.#perUnit = drainsIn / size
    this.#now = now
  }

  /** Units in it, those that have begun to drain included. */
  level(network: string): number {
    const emptyIn = (this.#emptyAt.get(network) ?? 0) - this.#now()
    return Math.max(0, Math.ceil(emptyIn / this.#perUnit - negligibleLevel))
  }

  isFull(network: string): boolean {
    return this.level(network) >= this.#size
  }

  add(network: string): void {
    const begin = Math.max(this.#emptyAt.get(network) ?? 0, this.#now())
    this.#emptyAt.set(network, begin + this.#perUnit)
  }

  /** Takes out what was put in for nothing. */
  takeBack(network: string): void {
    const emptyAt = this.#emptyAt.get(network)
    if (emptyAt !== undefined) this.#emptyAt.set(network, emptyAt - this.#perUnit)
  }

  /** Whole seconds until a full bucket has room for one more; at least 1. */
  secondsUntilRoom(network: string): number {
    const fullUntil = (this.#emptyAt.get(network) ?? 0) - (this.#size - 1) * this.#perUnit
    return Math.max(1, Math.ceil((fullUntil - this.#now()) / 1000))
  }
}
