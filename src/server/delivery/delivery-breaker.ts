import type { Logger } from 'pino'
import {
  type BreakerState,
  closedBreaker,
  describeBreaker,
  makeFailureCount,
  wasDistributorAtFault,
} from '#domain/delivery/breaker.ts'
import type { BreakerAfterAttempt } from '#domain/delivery/delivery.ts'
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
  const failures = makeFailureCount()
  let state: BreakerState = closedBreaker
  let readAt = Number.NEGATIVE_INFINITY

  /** True if the breaker was closed when this worker last read it. */
  const isClosed = () => state.pause === null && state.trip === null

  /** Changes and reads the breaker, and logs each change once. */
  const change = async (act: (now: number) => unknown): Promise<void> => {
    try {
      await act(clock())
      const [wasClosed, before] = [isClosed(), describe(state)]
      state = await store.read()
      const reason = describe(state)
      if (reason !== undefined && reason !== before) log.warn(`${subject} wait: ${reason}`)
      if (isClosed() && !wasClosed) {
        failures.reset()
        log.info(`${subject} resumed`)
      }
      storeFailureLog.succeeded()
    } catch (error) {
      storeFailureLog.failed(error)
    }
    readAt = performance.now()
  }

  return {
    /** Allows a probe at once, because an operator may have restarted the worker to correct a setting. */
    start: () => change(store.workerStarted),
    isClosed,
    read: async (): Promise<BreakerState> => {
      // Unlike the wall clock, `performance.now()` never jumps.
      if (performance.now() - readAt >= readEvery) await change(() => undefined)
      return state
    },
    /** Updates the breaker after an attempt, and returns the new state. Never rejects: the attempt must be recorded. */
    record: async (attempted: CompletedAttempt<ClaimedItem>): Promise<BreakerAfterAttempt> => {
      const { delivery, outcome } = attempted
      const { lease, probe, attemptsSpent, lead } = delivery
      const refused = failures.listRefused()
      const trips = failures.add({ ...attempted, leadId: lead.id, attemptsSpent }) !== undefined
      const cause = classifyOutcome(outcome)
      const reason = formatOutcome(outcome)
      if (cause === 'answer') {
        const kind = refused.includes(lead.id) ? 'repeat' : (probe ?? 'untried')
        if (refused.length > 0 && !wasDistributorAtFault(state.trip, kind))
          onRefusedAlone?.(refused)
        if (!isClosed()) await change(() => store.answered(kind))
      } else if (cause === 'nothing') {
        // If we aborted the call, the distributor may have the lead, so the next probe waits for the lease's end.
        if (probe !== undefined && outcome.name === 'not-made')
          await change((at) => store.probeNotMade({ lease, at }))
      } else if (isClosed()) {
        const since = failures.since()
        if (trips) await change((at) => store.trip({ cause, reason, since, at }))
      } else if (probe !== undefined) {
        await change((at) => store.probeFailed({ lease, kind: probe, cause, reason, at }))
      }
      if (isClosed()) return 'closed'
      return probe === 'repeat' ? 'open again' : 'open'
    },
  }
}
