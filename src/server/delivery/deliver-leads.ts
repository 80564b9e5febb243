import { setTimeout } from 'node:timers/promises'
import { type BreakerAfterAttempt, decideNextStep } from '#domain/delivery/delivery.ts'
import type { AttemptNotMadeReason } from '#domain/delivery/outcome.ts'
import { chooseIp, type FixedLeadFields, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
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

export interface AttemptDependencies<Item extends ClaimedItem> {
  readonly queue: Pick<OutboxQueue<Item>, 'record' | 'release'>
  readonly breaker: {
    readonly record: (attempted: CompletedAttempt<Item>) => Promise<BreakerAfterAttempt>
  }
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
        await queue.release([delivery])
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
