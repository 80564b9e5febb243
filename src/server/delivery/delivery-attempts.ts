import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  type BreakerState,
  closedBreaker,
  describeBreaker,
  makeFailureCount,
  wasDistributorAtFault,
} from '#domain/delivery/breaker.ts'
import { type BreakerAfterAttempt, decideNextStep } from '#domain/delivery/delivery.ts'
import {
  type AttemptNotMadeReason,
  classifyOutcome,
  formatOutcome,
} from '#domain/delivery/outcome.ts'
import { chooseIp, type FixedLeadFields, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import type { BreakerStore } from './breaker-store.ts'
import type { ClaimedDelivery, ClaimedItem } from './claim-deliveries.ts'
import type { OutboxQueue } from './delivery-queue.ts'
import type { DistributorClient, SendResult } from './distributor-client.ts'

/** The result of an attempt to send a claimed item. Times are epoch milliseconds. */
export interface CompletedAttempt<Item extends ClaimedItem = ClaimedDelivery> extends SendResult {
  readonly delivery: Item
  readonly startedAt: number
  readonly endedAt: number
}

export interface AttemptWithBreakerState<Item extends ClaimedItem = ClaimedDelivery>
  extends CompletedAttempt<Item> {
  readonly breakerAfter: BreakerAfterAttempt
}

interface SendLeadDependencies {
  readonly distributor: DistributorClient
  /** Returns the `IPv4` value of the lookup service, which may be "Not found"; undefined without an answer. */
  readonly lookUpIp: (ip: string) => Promise<string | undefined>
  readonly clock: () => number
  readonly campaign: FixedLeadFields
  readonly fallbackIp: string
}

/** Makes the function that sends a claimed delivery's lead to the distributor. */
export const makeLeadSender =
  ({ distributor, lookUpIp, clock, campaign, fallbackIp }: SendLeadDependencies) =>
  async (delivery: ClaimedDelivery, signal: AbortSignal): Promise<CompletedAttempt> => {
    const { lead } = delivery
    if ('unreadable' in lead) return makeUnsentAttempt(delivery, 'unreadable', clock())
    const ip = (await lookUpIp(lead.consent.ip)) ?? lead.consent.ip
    const distributorLead = toDistributorLead(lead, campaign, chooseIp(ip, fallbackIp))
    const startedAt = clock()
    const result = await distributor.send(distributorLead, lead.id, signal)
    return { delivery, startedAt, endedAt: clock(), ...result }
  }

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

export interface AttemptDependencies<Item extends ClaimedItem> {
  readonly queue: Pick<OutboxQueue<Item>, 'record' | 'giveBack'>
  readonly breaker: Pick<DeliveryBreaker, 'record'>
  readonly send: (item: Item, signal: AbortSignal) => Promise<CompletedAttempt<Item>>
  readonly clock: () => number
  /** Logs failures of the store, at a limited rate. */
  readonly storeFailureLog: Pick<FailureLog, 'failed'>
}

/**
 * Makes the functions that send a claimed item and record the attempt. The worker can start the next call before the
 * attempt is on disk.
 * @param retrySchedule the waits between attempts, in milliseconds
 */
export function makeAttemptRunner<Item extends ClaimedItem>(
  { queue, breaker, send, clock, storeFailureLog }: AttemptDependencies<Item>,
  retrySchedule: readonly number[],
) {
  return {
    attempt: async (
      delivery: Item,
      signal: AbortSignal,
    ): Promise<AttemptWithBreakerState<Item>> => {
      // Every worker that tried to send this item died without a result, and the item may be the cause.
      const isGivenUp = delivery.attemptsSpent > retrySchedule.length
      const attempted = isGivenUp
        ? makeUnsentAttempt(delivery, 'given-up', clock())
        : await send(delivery, signal)
      // Updates the breaker before the delivery can be due again.
      return { ...attempted, breakerAfter: await breaker.record(attempted) }
    },
    /**
     * Resolves when the attempt is on disk, with true if the delivery is now dead. Retries the write until `signal`
     * aborts, because without the record an accepted lead could be sent again.
     */
    record: async (
      { delivery, breakerAfter, ...attempted }: AttemptWithBreakerState<Item>,
      signal: AbortSignal,
    ): Promise<boolean> => {
      const { startedAt, endedAt, outcome, response } = attempted
      const tries = delivery.attemptsSpent + 1
      const next = decideNextStep(outcome, {
        tries,
        endedAt,
        schedule: retrySchedule,
        breakerAfter,
      })
      if (next === undefined) {
        await queue.giveBack([delivery])
        return false
      }
      const attempt = {
        id: makeIdAt(endedAt),
        deliveryId: delivery.id,
        lease: delivery.lease,
        startedAt,
        durationMs: endedAt - startedAt,
        outcome,
        response,
        next,
      }
      const onFailed = (error: unknown) =>
        storeFailureLog.failed(error, { leadId: delivery.lead.id })
      const isHeld = await retryUntilResult(() => queue.record(attempt), { signal, onFailed })
      return isHeld === true && 'settledAs' in next && next.settledAs === 'dead'
    },
  }
}

const makeUnsentAttempt = <Item extends ClaimedItem>(
  delivery: Item,
  reason: AttemptNotMadeReason,
  now: number,
): CompletedAttempt<Item> => ({
  delivery,
  startedAt: now,
  endedAt: now,
  outcome: { name: 'not-made', reason },
})

interface RetryOptions {
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
  readonly pauseMs?: number
}

/**
 * Calls `act` until it returns a value, however long the store is unreachable. An abort of `signal` ends the retries;
 * the promise then rejects with the last error.
 */
export async function retryUntilResult<Result>(
  act: () => Promise<Result | undefined>,
  { signal, onFailed, pauseMs = 500 }: RetryOptions,
): Promise<Result | undefined> {
  for (;;) {
    try {
      const result = await act()
      if (result !== undefined || signal.aborted) return result
    } catch (error) {
      onFailed(error)
      if (signal.aborted) throw error
    }
    // An abort ends this pause, and the loop then calls `act` for the last time.
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
