import type { Logger } from 'pino'
import {
  failuresToOutage,
  type GateState,
  openGate,
  type Passage,
  passage,
} from '#domain/delivery/gate.ts'
import type { Attempted } from '../use-cases/deliver-leads.ts'
import type { DeliveryGate } from '../use-cases/delivery-gate.ts'

export interface GatekeeperPorts {
  readonly gate: DeliveryGate
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
}

/**
 * One worker's eye on the gate that all share: tells it of answers and failures, and reads it now and then, as other
 * workers and the operator move it too. A store that is away leaves the gate as it was last seen.
 */
export class Gatekeeper {
  readonly #ports: GatekeeperPorts
  readonly #readEvery: number
  #state: GateState = openGate
  #readAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #failingSince = 0

  /** @param readEvery how long a reading holds at most, in milliseconds */
  constructor(ports: GatekeeperPorts, readEvery: number) {
    this.#ports = ports
    this.#readEvery = readEvery
  }

  /** A start is how configuration is changed, so it may try at once. */
  async start(): Promise<void> {
    await this.#try((gate, now) => gate.probeNow(now))
  }

  /** As last seen. */
  isOpen(): boolean {
    return this.#state === openGate
  }

  async passage(): Promise<Passage> {
    // Not the clock, which may jump.
    if (performance.now() - this.#readAt >= this.#readEvery) await this.#try(() => undefined)
    return passage(this.#state)
  }

  /** Never rejects: an outcome must be recorded, whatever becomes of the gate. */
  async hear(attempted: Attempted): Promise<void> {
    const { name } = attempted.outcome
    if (name === 'delivered' || name === 'rejected') return this.#hearAnswer()
    if (name === 'refused') return this.#hearRefusal(attempted.outcome)
    return this.#hearFailure(attempted)
  }

  async #hearAnswer(): Promise<void> {
    this.#failures = 0
    if (this.isOpen()) return
    await this.#try((gate, now) => gate.answered(now))
  }

  async #hearRefusal({ httpStatus }: { readonly httpStatus: number }): Promise<void> {
    const reason =
      `the distributor refuses us (HTTP ${httpStatus}). Correct DISTRIBUTOR_URL or the values of the ` +
      'campaign and restart, or run "leads resume"'
    await this.#try((gate, at) => gate.pause({ by: 'refusal', reason, at }))
  }

  async #hearFailure({ delivery, startedAt }: Attempted): Promise<void> {
    if (this.#failures++ === 0) this.#failingSince = startedAt
    if (!this.isOpen()) {
      await this.#try((gate, at) => gate.probeFailed({ lease: delivery.lease, at }))
    } else if (this.#failures >= failuresToOutage) {
      const since = this.#failingSince
      await this.#try((gate, at) => gate.beginOutage({ since, at }))
    }
  }

  /** Moves the gate, and reads what it is then. */
  async #try(move: (gate: DeliveryGate, now: number) => unknown): Promise<void> {
    const { gate, clock, log } = this.#ports
    try {
      await move(gate, clock())
      this.#see(await gate.read())
    } catch (error) {
      log.error({ err: error }, 'the delivery gate could not be used; going on as before')
    }
    this.#readAt = performance.now()
  }

  /** Says what changed, once. */
  #see(state: GateState): void {
    const { log } = this.#ports
    const before = this.#state
    const isOpen = state.pause === null && state.outage === null
    this.#state = isOpen ? openGate : state
    if (before.pause?.since !== state.pause?.since && state.pause !== null) {
      log.warn(
        { by: state.pause.by, reason: state.pause.reason },
        'deliveries paused: leads are stored and wait',
      )
    }
    if (before.outage === null && state.outage !== null) {
      log.warn('the distributor does not answer: leads wait, one delivery at a time is tried')
    }
    if (before !== openGate && isOpen) {
      this.#failures = 0
      log.info('deliveries go on')
    }
  }
}
