import type { Logger } from 'pino'
import {
  addEvidence,
  type BreakerEvidence,
  type BreakerMode,
  type BreakerState,
  closedBreaker,
  describeBreaker,
  findTripCause,
  noEvidence,
  toBreakerMode,
  wasDistributorAtFault,
} from '#domain/delivery/breaker.ts'
import type { BreakerAfterAttempt } from '#domain/delivery/next-step.ts'
import { formatOutcome, toEvidence } from '#domain/delivery/outcome.ts'
import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import type { BreakerStore } from './breaker-store.ts'
import type { ClaimedItem } from './claim-deliveries.ts'
import type { CompletedAttempt } from './deliver-leads.ts'

interface DeliveryBreakerDependencies {
  readonly store: BreakerStore
  readonly clock: () => number
  readonly log: Logger
  readonly storeFailureLog: LoopFailureLog
  /** Receives the leads that the distributor refuses while it accepts others. */
  readonly onRefusedAlone: (leadIds: readonly string[]) => void
  /** The log's words while the breaker is open, and when it closes. */
  readonly words?: BreakerWords
}

interface BreakerWords {
  /** Undefined if the breaker is closed. */
  readonly describe: (state: BreakerState) => string | undefined
  readonly resumed: string
}

const wordsOfDeliveries: BreakerWords = {
  describe: (state) => {
    const words = describeBreaker(state)
    return words && `deliveries wait: ${words}`
  },
  resumed: 'Deliveries resumed',
}

/**
 * One worker's view of the shared breaker. The worker counts its own results, and reads the breaker regularly because
 * other workers and operators change it too. While the store is unreachable, the worker uses the state it last read.
 */
export class DeliveryBreaker {
  readonly #dependencies: DeliveryBreakerDependencies
  readonly #readEvery: number
  #state: BreakerState = closedBreaker
  #readAt = Number.NEGATIVE_INFINITY
  #evidence: BreakerEvidence = noEvidence

  /** @param readEvery the longest time between two reads of the breaker, in milliseconds */
  constructor(dependencies: DeliveryBreakerDependencies, readEvery: number) {
    this.#dependencies = dependencies
    this.#readEvery = readEvery
  }

  /** Allows a probe at once, because operators restart a worker to correct its settings. */
  async start(): Promise<void> {
    await this.#change((store, now) => store.workerStarted(now))
  }

  /** True if the breaker was closed when this worker last read it. */
  isClosed(): boolean {
    return this.#state === closedBreaker
  }

  async mode(): Promise<BreakerMode> {
    // Unlike the wall clock, `performance.now()` never jumps.
    if (performance.now() - this.#readAt >= this.#readEvery) await this.#change(() => undefined)
    return toBreakerMode(this.#state)
  }

  /**
   * Updates the breaker after an attempt and resolves with its state. Never rejects, so that the attempt is recorded.
   */
  async record(attempted: CompletedAttempt<ClaimedItem>): Promise<BreakerAfterAttempt> {
    const { delivery, outcome } = attempted
    const { lease, probe, triesSpent, lead } = delivery
    const attemptEvidence = { ...attempted, leadId: lead.id, triesSpent }
    const { refused } = this.#evidence
    this.#evidence = addEvidence(this.#evidence, attemptEvidence)
    const cause = toEvidence(outcome)
    const reason = formatOutcome(outcome)
    if (cause === 'answer') await this.#recordAnswer(delivery, refused)
    else if (cause === 'nothing') {
      // If we aborted the call, the distributor may have the probe's lead: the next probe waits for the lease's end.
      if (probe !== undefined && outcome.name === 'not-made')
        await this.#change((store, at) => store.probeNotMade({ lease, at }))
    } else if (this.isClosed()) {
      const { since } = this.#evidence
      if (findTripCause(this.#evidence, attemptEvidence) !== undefined)
        await this.#change((store, at) => store.trip({ cause, reason, since, at }))
    } else if (probe !== undefined) {
      await this.#change((store, at) =>
        store.probeFailed({ lease, kind: probe, cause, reason, at }),
      )
    }
    if (this.isClosed()) return 'closed'
    return probe === 'repeat' ? 'open again' : 'open'
  }

  async #recordAnswer({ probe = 'untried', lead }: ClaimedItem, refused: ReadonlySet<string>) {
    const answeredProbe = refused.has(lead.id) ? 'repeat' : probe
    const { trip } = this.#state
    const isDistributorsFault =
      trip === null ? answeredProbe === 'repeat' : wasDistributorAtFault(trip, answeredProbe)
    if (refused.size > 0 && !isDistributorsFault) this.#dependencies.onRefusedAlone([...refused])
    if (!this.isClosed()) await this.#change((store) => store.answered(answeredProbe))
  }

  async #change(change: (store: BreakerStore, now: number) => unknown): Promise<void> {
    const { store, clock, storeFailureLog } = this.#dependencies
    try {
      await change(store, clock())
      this.#update(await store.read())
      storeFailureLog.succeeded()
    } catch (error) {
      storeFailureLog.failed(error)
    }
    this.#readAt = performance.now()
  }

  /** Keeps the breaker's new state, and logs each change once. */
  #update(state: BreakerState): void {
    const { log, words: says = wordsOfDeliveries } = this.#dependencies
    const before = this.#state
    const isClosed = state.pause === null && state.trip === null
    this.#state = isClosed ? closedBreaker : state
    const words = says.describe(state)
    if (words !== undefined && words !== says.describe(before)) log.warn(words)
    if (before !== closedBreaker && isClosed) {
      this.#evidence = { ...noEvidence, answeredAt: this.#evidence.answeredAt }
      log.info(says.resumed)
    }
  }
}
