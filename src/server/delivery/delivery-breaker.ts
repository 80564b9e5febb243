import type { Logger } from 'pino'
import {
  addAttemptEvidence,
  type BreakerEvidence,
  type BreakerMode,
  type BreakerState,
  closedBreaker,
  describeBreaker,
  findTripCause,
  noBreakerEvidence,
  toBreakerMode,
  wasDistributorAtFault,
} from '#domain/delivery/breaker.ts'
import type { BreakerAfterAttempt } from '#domain/delivery/next-step.ts'
import { classifyOutcome, formatOutcome } from '#domain/delivery/outcome.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import type { BreakerStore } from './breaker-store.ts'
import type { ClaimedItem } from './claim-deliveries.ts'
import type { CompletedAttempt } from './deliver-leads.ts'

interface DeliveryBreakerDependencies {
  readonly store: BreakerStore
  readonly clock: () => number
  readonly log: Logger
  readonly storeFailureLog: FailureLog
  /** Called with the ids of leads that the distributor refuses while it accepts others. */
  readonly onRefusedAlone?: (leadIds: readonly string[]) => void
  /** What the log calls the items. */
  readonly subject?: 'deliveries' | 'notifications'
  /** Returns for the log, in words, why the items wait; undefined if the breaker is closed. */
  readonly describe?: (state: BreakerState) => string | undefined
}

export type DeliveryBreaker = ReturnType<typeof makeDeliveryBreaker>

/**
 * Makes one worker's view of the shared breaker. The worker counts its own results, and reads the breaker regularly
 * because other workers and operators change it too. While the store is unreachable, the worker uses the state that it
 * last read.
 * @param readEvery the longest time between two reads of the breaker, in milliseconds
 */
export function makeDeliveryBreaker(
  { store, clock, log, storeFailureLog, onRefusedAlone, ...words }: DeliveryBreakerDependencies,
  readEvery: number,
) {
  const { subject = 'deliveries', describe = describeBreaker } = words
  let state: BreakerState = closedBreaker
  let readAt = Number.NEGATIVE_INFINITY
  let evidence: BreakerEvidence = noBreakerEvidence

  /** True if the breaker was closed when this worker last read it. */
  const isClosed = () => state === closedBreaker

  const change = async (act: (now: number) => unknown): Promise<void> => {
    try {
      await act(clock())
      update(await store.read())
      storeFailureLog.succeeded()
    } catch (error) {
      storeFailureLog.failed(error)
    }
    readAt = performance.now()
  }

  /** Keeps the breaker's new state, and logs each change once. */
  const update = (found: BreakerState): void => {
    const before = state
    state = found.pause === null && found.trip === null ? closedBreaker : found
    const reason = describe(state)
    if (reason !== undefined && reason !== describe(before)) log.warn(`${subject} wait: ${reason}`)
    if (before !== closedBreaker && isClosed()) {
      evidence = { ...noBreakerEvidence, answeredAt: evidence.answeredAt }
      log.info(`${subject} resumed`)
    }
  }

  const recordAnswer = async (
    { probe = 'untried', lead }: ClaimedItem,
    refused: ReadonlySet<string>,
  ): Promise<void> => {
    const answeredProbe = refused.has(lead.id) ? 'repeat' : probe
    const isDistributorsFault =
      state.trip === null
        ? answeredProbe === 'repeat'
        : wasDistributorAtFault(state.trip, answeredProbe)
    if (refused.size > 0 && !isDistributorsFault) onRefusedAlone?.([...refused])
    if (!isClosed()) await change(() => store.answered(answeredProbe))
  }

  return {
    /** Allows a probe at once, because an operator may have restarted the worker to correct a setting. */
    start: () => change(store.workerStarted),
    isClosed,
    mode: async (): Promise<BreakerMode> => {
      // Unlike the wall clock, `performance.now()` never jumps.
      if (performance.now() - readAt >= readEvery) await change(() => undefined)
      return toBreakerMode(state)
    },
    /** Updates the breaker after an attempt, and returns the new state. Never rejects: the attempt must be recorded. */
    record: async (attempted: CompletedAttempt<ClaimedItem>): Promise<BreakerAfterAttempt> => {
      const { delivery, outcome } = attempted
      const { lease, probe, attemptsSpent, lead } = delivery
      const attemptEvidence = { ...attempted, leadId: lead.id, attemptsSpent }
      const { refused } = evidence
      evidence = addAttemptEvidence(evidence, attemptEvidence)
      const cause = classifyOutcome(outcome)
      const reason = formatOutcome(outcome)
      if (cause === 'answer') await recordAnswer(delivery, refused)
      else if (cause === 'nothing') {
        // If we aborted the call, the distributor may have the lead, so the next probe waits for the lease's end.
        if (probe !== undefined && outcome.name === 'not-made')
          await change((at) => store.probeNotMade({ lease, at }))
      } else if (isClosed()) {
        const { since } = evidence
        if (findTripCause(evidence, attemptEvidence) !== undefined)
          await change((at) => store.trip({ cause, reason, since, at }))
      } else if (probe !== undefined) {
        await change((at) => store.probeFailed({ lease, kind: probe, cause, reason, at }))
      }
      if (isClosed()) return 'closed'
      return probe === 'repeat' ? 'open again' : 'open'
    },
  }
}
