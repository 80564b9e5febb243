import type { Logger } from 'pino'
import {
  type BreakerMode,
  type BreakerState,
  closedBreaker,
  failuresToOutage,
  mode,
} from '#domain/delivery/breaker.ts'
import type { BreakerStore } from '../use-cases/breaker-store.ts'
import type { Attempted } from '../use-cases/deliver-leads.ts'

export interface DeliveryBreakerPorts {
  readonly breaker: BreakerStore
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
}

/**
 * One worker's eye on the breaker that all share: tells it of answers and failures, and reads it now and then, as other
 * workers and the operator move it too. A store that is away leaves the breaker as it was last seen.
 */
export class DeliveryBreaker {
  readonly #ports: DeliveryBreakerPorts
  readonly #readEvery: number
  #state: BreakerState = closedBreaker
  #readAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #failingSince = 0

  /** @param readEvery how long a reading holds at most, in milliseconds */
  constructor(ports: DeliveryBreakerPorts, readEvery: number) {
    this.#ports = ports
    this.#readEvery = readEvery
  }

  /** A start is how configuration is changed, so it may try at once. */
  async start(): Promise<void> {
    await this.#try((breaker, now) => breaker.probeNow(now))
  }

  /** As last seen. */
  isClosed(): boolean {
    return this.#state === closedBreaker
  }

  async mode(): Promise<BreakerMode> {
    // Not the clock, which may jump.
    if (performance.now() - this.#readAt >= this.#readEvery) await this.#try(() => undefined)
    return mode(this.#state)
  }

  /** Never rejects: an outcome must be recorded, whatever becomes of the breaker. */
  async hear(attempted: Attempted): Promise<void> {
    const { name } = attempted.outcome
    if (name === 'delivered' || name === 'rejected') return this.#hearAnswer()
    if (name === 'refused') return this.#hearRefusal(attempted.outcome)
    return this.#hearFailure(attempted)
  }

  async #hearAnswer(): Promise<void> {
    this.#failures = 0
    if (this.isClosed()) return
    await this.#try((breaker, now) => breaker.answered(now))
  }

  async #hearRefusal({ httpStatus }: { readonly httpStatus: number }): Promise<void> {
    const reason =
      `the distributor refuses us (HTTP ${httpStatus}). Correct DISTRIBUTOR_URL or the values of the ` +
      'campaign and restart, or run "leads resume"'
    await this.#try((breaker, at) => breaker.pause({ by: 'refusal', reason, at }))
  }

  async #hearFailure({ delivery, startedAt }: Attempted): Promise<void> {
    if (this.#failures++ === 0) this.#failingSince = startedAt
    if (!this.isClosed()) {
      await this.#try((breaker, at) => breaker.probeFailed({ lease: delivery.lease, at }))
    } else if (this.#failures >= failuresToOutage) {
      const since = this.#failingSince
      await this.#try((breaker, at) => breaker.beginOutage({ since, at }))
    }
  }

  /** Moves the breaker, and reads what it is then. */
  async #try(move: (breaker: BreakerStore, now: number) => unknown): Promise<void> {
    const { breaker, clock, log } = this.#ports
    try {
      await move(breaker, clock())
      this.#see(await breaker.read())
    } catch (error) {
      log.error({ err: error }, 'the delivery breaker could not be used; going on as before')
    }
    this.#readAt = performance.now()
  }

  /** Says what changed, once. */
  #see(state: BreakerState): void {
    const { log } = this.#ports
    const before = this.#state
    const isClosed = state.pause === null && state.outage === null
    this.#state = isClosed ? closedBreaker : state
    if (before.pause?.since !== state.pause?.since && state.pause !== null) {
      log.warn(
        { by: state.pause.by, reason: state.pause.reason },
        'deliveries paused: leads are stored and wait',
      )
    }
    if (before.outage === null && state.outage !== null) {
      log.warn('the distributor does not answer: leads wait, one delivery at a time is tried')
    }
    if (before !== closedBreaker && isClosed) {
      this.#failures = 0
      log.info('deliveries go on')
    }
  }
}
