import type { Logger } from 'pino'
import {
  type BreakerMode,
  type BreakerState,
  closedBreaker,
  modeOf,
  type ProbeKind,
  type TripCause,
} from '#domain/delivery/breaker.ts'
import {
  type BreakerEvidence,
  type Heard,
  noEvidence,
  refusedToBlame,
  tripCauseOf,
  weigh,
} from '#domain/delivery/breaker-evidence.ts'
import { breakerInWords } from '#domain/delivery/breaker-in-words.ts'
import { culpritOf, isProven } from '#domain/delivery/culprit.ts'
import type { BreakerVerdict } from '#domain/delivery/next-move.ts'
import { briefly, evidenceOf } from '#domain/delivery/outcome.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import type { BreakerStore } from '../breaker-store.ts'
import type { Attempted } from '../deliver-leads.ts'

export interface DeliveryBreakerPorts {
  readonly store: BreakerStore
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  /** The store's, which is told seldom. */
  readonly storeFailureLog: Pick<FailureLog, 'failed' | 'succeeded'>
  /** Hears of leads that the distributor refuses while it takes others. */
  readonly onRefusedAlone: (leadIds: readonly string[]) => void
}

/**
 * One worker's part in the breaker that all share: weighs what it hears, and reads it now and then, as other workers and
 * the operator move it too. A store that is away leaves it as it was last seen.
 */
export class DeliveryBreaker {
  readonly #ports: DeliveryBreakerPorts
  readonly #readEvery: number
  #state: BreakerState = closedBreaker
  #readAt = Number.NEGATIVE_INFINITY
  #evidence: BreakerEvidence = noEvidence

  /** @param readEvery how long a reading holds at most, in milliseconds */
  constructor(ports: DeliveryBreakerPorts, readEvery: number) {
    this.#ports = ports
    this.#readEvery = readEvery
  }

  /** A start is how configuration is changed. */
  async start(): Promise<void> {
    await this.#move((store, now) => store.workerStarted(now))
  }

  /** As last seen. */
  isClosed(): boolean {
    return this.#state === closedBreaker
  }

  async mode(): Promise<BreakerMode> {
    // Not the clock, which may jump.
    if (performance.now() - this.#readAt >= this.#readEvery) await this.#move(() => undefined)
    return modeOf(this.#state)
  }

  /** Never rejects: an outcome must be recorded, whatever becomes of the breaker. Resolves with how it stands then. */
  async record(attempted: Attempted): Promise<BreakerVerdict> {
    const { delivery, outcome } = attempted
    const heard = { ...attempted, leadId: delivery.lead.id, refusedBefore: delivery.refusedBefore }
    const before = this.#evidence
    this.#evidence = weigh(before, heard)
    const said = evidenceOf(outcome)
    if (said === 'answer') await this.#recordAnswer(attempted, before)
    else if (said === 'nothing') await this.#recordNothing(attempted)
    else await this.#recordFailure(attempted, heard, said)
    if (this.isClosed()) return 'closed'
    return delivery.probe === 'repeat' ? 'open again' : 'open'
  }

  async #recordAnswer({ delivery }: Attempted, { suspects }: BreakerEvidence): Promise<void> {
    const { probe = 'first', lead } = delivery
    const answered: ProbeKind = suspects.has(lead.id) ? 'repeat' : probe
    const { trip } = this.#state
    const isTheirs =
      trip === null ? answered !== 'repeat' : culpritOf(trip, answered) === 'these leads'
    if (suspects.size > 0 && isTheirs) this.#ports.onRefusedAlone([...suspects])
    if (!this.isClosed()) await this.#move((store, at) => store.answered(answered, at))
  }

  async #recordFailure(attempted: Attempted, heard: Heard, cause: TripCause): Promise<void> {
    const { lease, probe: kind } = attempted.delivery
    const reason = briefly(heard.outcome)
    if (!this.isClosed()) {
      if (kind === undefined) return
      await this.#move((store, at) => store.probeFailed({ lease, kind, cause, reason, at }))
    } else if (tripCauseOf(this.#evidence, heard) !== undefined) {
      const { since } = this.#evidence
      const enoughRefused = refusedToBlame(this.#evidence, heard.endedAt)
      await this.#move((store, at) => store.trip({ cause, reason, since, enoughRefused, at }))
    }
  }

  /** A call that we cut off ourselves was made: its probe counts as lost when its lease ends. */
  async #recordNothing({ delivery: { lease, probe }, outcome }: Attempted): Promise<void> {
    if (probe === undefined || outcome.name !== 'not-made') return
    await this.#move((store, at) => store.probeNotMade({ lease, at }))
  }

  /** Moves the breaker, and reads what it is then. */
  async #move(move: (store: BreakerStore, now: number) => unknown): Promise<void> {
    const { store, clock, storeFailureLog } = this.#ports
    try {
      await move(store, clock())
      this.#see(await store.read())
      storeFailureLog.succeeded()
    } catch (error) {
      storeFailureLog.failed(error)
    }
    this.#readAt = performance.now()
  }

  /** What it answered before it refused us says nothing of it any more. */
  #answeredSince({ trip }: BreakerState): number {
    const { answeredAt } = this.#evidence
    const isOver = trip?.cause === 'refused' && isProven(trip) && answeredAt < trip.since
    return isOver ? noEvidence.answeredAt : answeredAt
  }

  /** Says what changed, once. */
  #see(state: BreakerState): void {
    const { log } = this.#ports
    const before = this.#state
    const isClosed = state.pause === null && state.trip === null
    this.#state = isClosed ? closedBreaker : state
    if (!isClosed && stageOf(state) !== stageOf(before)) {
      log.warn(`deliveries wait: ${breakerInWords(state)}`)
    }
    if (before !== closedBreaker && isClosed) {
      this.#evidence = { ...noEvidence, answeredAt: this.#answeredSince(before) }
      log.info('deliveries go on')
    }
  }
}

/** What is worth a line in the log when it changes. */
function stageOf({ pause, trip }: BreakerState): string {
  if (pause !== null) return `paused ${pause.since}`
  return trip === null ? '' : `${trip.cause} ${trip.since} ${isProven(trip)}`
}
