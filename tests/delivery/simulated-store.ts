import {
  type BreakerState,
  closedBreaker,
  minWorkerStartProbeIntervalMs,
  scheduleProbe,
  wasDistributorAtFault,
} from '#domain/delivery/breaker.ts'
import type { Settlement } from '#domain/delivery/delivery.ts'
import type { BreakerStore } from '#server/delivery/breaker-store.ts'
import type { ClaimedDelivery, ClaimRequest } from '#server/delivery/claim-deliveries.ts'
import type { DeliveryQueue } from '#server/delivery/delivery-queue.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

export interface SimulatedDelivery {
  readonly id: string
  readonly createdAt: number
  nextAt: number
  lease: string | null
  attempts: number
  uncounted: number
  backoffSince: number | null
  settledAs: Settlement | null
}

const { lead } = exampleArrival()

/** A store's queue and breaker in memory, so that hours of deliveries pass in milliseconds. */
export class SimulatedStore {
  readonly deliveries: SimulatedDelivery[] = []
  #state: BreakerState = closedBreaker
  #probe: string | null = null
  #startProbeAt = Number.NEGATIVE_INFINITY
  #leases = 0
  #random: number

  /** @param seed determines the choice of probes, so that a failed run can be repeated */
  constructor(seed: number) {
    this.#random = seed
  }

  receive({ id, at }: { readonly id: string; readonly at: number }): void {
    const untried = { lease: null, attempts: 0, uncounted: 0, backoffSince: null, settledAs: null }
    this.deliveries.push({ id, createdAt: at, nextAt: at, ...untried })
  }

  /** When the next retry, the end of a lease or the next probe is due. */
  nextAfter(now: number): number {
    const times = this.deliveries.filter(({ settledAs }) => settledAs === null)
    const { trip } = this.#state
    const probes = trip === null ? [] : [trip.probeAt, trip.repeatAt]
    return Math.min(...[...times.map(({ nextAt }) => nextAt), ...probes].filter((at) => at > now))
  }

  readonly breaker: BreakerStore = {
    read: async () => this.#state,
    pause: async ({ reason, at }) => {
      this.#state = { ...this.#state, pause: { reason, since: at } }
      return true
    },
    resume: async () => this.#state.pause !== null && this.#close(true),
    tryNow: async () => false,
    trip: async ({ at, ...failure }) => {
      if (this.#state !== closedBreaker) return false
      this.#state = { pause: null, trip: scheduleProbe({ ...failure, failedProbes: 0 }, at) }
      return true
    },
    answered: async (answered) => {
      const { trip } = this.#state
      return trip !== null && this.#close(wasDistributorAtFault(trip, answered))
    },
    probeFailed: async ({ lease, kind, at, ...failure }) => {
      const { pause, trip } = this.#state
      if (trip === null || lease !== this.#probe) return false
      this.#probe = null
      const failedProbes = trip.failedProbes + (kind === 'repeat' ? 0 : 1)
      this.#state = { pause, trip: scheduleProbe({ ...trip, ...failure, failedProbes }, at) }
      return true
    },
    probeNotMade: async ({ lease, at }) => {
      if (lease === this.#probe) this.#probeFrom(at)
      return true
    },
    workerStarted: async (at) => {
      if (this.#state.trip === null || at < this.#startProbeAt + minWorkerStartProbeIntervalMs)
        return false
      this.#startProbeAt = at
      this.#probeFrom(at, { repeatAt: at })
      return true
    },
  }

  readonly queue: DeliveryQueue = {
    claimDue: async ({ limit, ...claim }) =>
      this.#due(claim.now)
        .slice(0, limit)
        .map((delivery) => this.#lease(delivery, claim)),
    claimProbe: async (claim) => {
      const { trip } = this.#state
      if (trip === null || trip.probeAt > claim.now) return undefined
      const chosen = this.#choose(claim.now)
      if (chosen === undefined) return undefined
      const claimed = this.#lease(chosen.delivery, claim)
      this.#probe = claimed.lease
      this.#state = { pause: null, trip: { ...trip, probeAt: claim.leaseUntil } }
      return { ...claimed, probe: chosen.kind }
    },
    record: async ({ deliveryId, lease, startedAt, durationMs, next }) => {
      const delivery = this.deliveries.find(({ id }) => id === deliveryId)
      if (delivery?.lease !== lease) return false
      delivery.lease = null
      delivery.attempts++
      delivery.backoffSince = null
      if ('settledAs' in next) delivery.settledAs = next.settledAs
      else if ('dueAgain' in next) delivery.uncounted++
      else {
        delivery.nextAt = next.retryAt
        if (next.spends === 'nothing') delivery.uncounted++
        if (next.setBy === 'schedule') delivery.backoffSince = startedAt + durationMs
      }
      return true
    },
    giveBack: async (given) => {
      for (const { id, lease } of given) {
        const delivery = this.deliveries.find((one) => one.id === id && one.lease === lease)
        if (delivery !== undefined)
          Object.assign(delivery, { lease: null, nextAt: delivery.createdAt })
      }
    },
    returnLeases: async () => true,
  }

  #due(now: number): SimulatedDelivery[] {
    return this.deliveries
      .filter(({ settledAs, nextAt }) => settledAs === null && nextAt <= now)
      .sort((a, b) => a.nextAt - b.nextAt)
  }

  #lease(delivery: SimulatedDelivery, { leaseUntil }: ClaimRequest): ClaimedDelivery {
    const lease = `lease ${++this.#leases}`
    const { id, attempts, uncounted } = delivery
    Object.assign(delivery, { lease, nextAt: leaseUntil })
    return {
      id,
      lease,
      leasedUntil: leaseUntil,
      attemptsBefore: attempts,
      attemptsSpent: attempts - uncounted,
      lead: { ...lead, id },
    }
  }

  /** Chooses a probe like the store: at random, and leads that never failed before leads that failed before the trip. */
  #choose(now: number) {
    const { trip } = this.#state
    if (trip === null) return undefined
    const due = this.#due(now)
    const untried = due.filter(({ backoffSince }) => (backoffSince ?? -1) < trip.since)
    const fresh = untried.filter(({ attempts, uncounted }) => attempts === uncounted)
    const among = fresh.length > 0 ? fresh : untried
    const chosen = among[this.#draw(among.length)]
    if (chosen !== undefined) return { delivery: chosen, kind: 'untried' as const }
    if (trip.repeatAt > now) return undefined
    const [longestAgo] = this.deliveries
      .filter(({ lease, backoffSince }) => lease === null && (backoffSince ?? -1) >= trip.since)
      .sort((a, b) => (a.backoffSince ?? 0) - (b.backoffSince ?? 0))
    return longestAgo && { delivery: longestAgo, kind: 'repeat' as const }
  }

  #close(makesUp: boolean): boolean {
    const { trip } = this.#state
    this.#state = closedBreaker
    this.#probe = null
    if (trip === null || !makesUp) return trip !== null
    for (const delivery of this.deliveries) {
      const { settledAs, lease, backoffSince, attempts, uncounted, createdAt } = delivery
      if (settledAs !== null || lease !== null || (backoffSince ?? -1) < trip.since) continue
      const made = uncounted < attempts ? uncounted + 1 : uncounted
      Object.assign(delivery, { nextAt: createdAt, uncounted: made })
    }
    return true
  }

  #probeFrom(at: number, more: { readonly repeatAt?: number } = {}): void {
    const { pause, trip } = this.#state
    this.#probe = null
    if (trip !== null) this.#state = { pause, trip: { ...trip, ...more, probeAt: at } }
  }

  #draw(below: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#random / 2 ** 32) * below)
  }
}
