import { setTimeout } from 'node:timers/promises'
import { type BreakerVerdict, nextMove } from '#domain/delivery/next-move.ts'
import {
  type CampaignSettings,
  type DistributorLead,
  ipToSend,
  toDistributorLead,
} from '#domain/lead/distributor-lead.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import type { SendResult } from './distributor-reply.ts'
import type { AfterAttempt, RecordedAttempt } from './record-attempts.ts'

/** The lead-distribution service. */
export interface Distributor {
  /** @param idempotencyKey travels with every attempt of the same delivery */
  send(lead: DistributorLead, idempotencyKey: string, signal: AbortSignal): Promise<SendResult>
}

/** The service's `IPv4`, which may be words like "Not found"; undefined where it did not answer. */
export type IpLookup = (ip: string) => Promise<string | undefined>

/** The result of a claimed delivery: times as in {@link RecordedAttempt}. */
export interface Attempted extends SendResult {
  readonly delivery: ClaimedDelivery
  readonly startedAt: number
  readonly endedAt: number
}

/** The same, and how the breaker stood once it had heard of it. */
export interface WeighedAttempt extends Attempted {
  readonly verdict: BreakerVerdict
}

/** `recovered`: delivered after more failures than the schedule has tries, as a lead that was dead and is tried again. */
export type Fate = 'died' | 'recovered'

export interface DeliverLeadsPorts {
  readonly queue: Pick<DeliveryQueue, 'record' | 'release'>
  readonly distributor: Distributor
  readonly lookUpIp: IpLookup
  readonly clock: () => number
  readonly newId: () => string
  /** Hears of the outcome before it is recorded, so that the breaker opens before the delivery can be due again. */
  readonly onOutcome: (attempted: Attempted) => Promise<BreakerVerdict>
  readonly onNotRecorded: (delivery: ClaimedDelivery, error: unknown) => void
}

export interface DeliverySettings {
  readonly campaign: CampaignSettings
  readonly fallbackIp: string
  /** Waits between attempts, in milliseconds. */
  readonly retrySchedule: readonly number[]
}

/** One attempt of one claimed delivery, in two steps: the next call need not wait until this one is on disk. */
export function makeDeliverLead(ports: DeliverLeadsPorts, settings: DeliverySettings) {
  const { queue, clock, newId, onOutcome, onNotRecorded } = ports
  const { retrySchedule } = settings
  return {
    attempt: async (delivery: ClaimedDelivery, signal: AbortSignal): Promise<WeighedAttempt> => {
      const attempted =
        delivery.triesSpent > retrySchedule.length
          ? givenUp(delivery, clock())
          : await send(delivery, signal, ports, settings)
      return { ...attempted, verdict: await onOutcome(attempted) }
    },
    /**
     * Resolves once the attempt and what follows from it are on disk, with what that makes of the lead, where an operator
     * should know; rejects only where `signal` ends the waiting.
     */
    record: async (attempted: WeighedAttempt, signal: AbortSignal): Promise<Fate | undefined> => {
      const { delivery, startedAt, endedAt, outcome, said } = attempted
      const next = afterAttempt(attempted, retrySchedule)
      if (next === undefined) {
        await queue.release([delivery])
        return undefined
      }
      const isHeld = await recordWithRetry(queue, {
        attempt: {
          id: newId(),
          deliveryId: delivery.id,
          lease: delivery.lease,
          startedAt,
          durationMs: endedAt - startedAt,
          outcome,
          said,
          next,
        },
        signal,
        onNotRecorded: (error) => onNotRecorded(delivery, error),
      })
      if (outcome.name === 'delivered') {
        return delivery.attemptsBefore > retrySchedule.length ? 'recovered' : undefined
      }
      return isHeld && 'settledAs' in next && next.settledAs === 'dead' ? 'died' : undefined
    },
  }
}

async function send(
  delivery: ClaimedDelivery,
  signal: AbortSignal,
  { distributor, lookUpIp, clock }: DeliverLeadsPorts,
  { campaign, fallbackIp }: DeliverySettings,
): Promise<Attempted> {
  const { lead } = delivery
  const looked = (await lookUpIp(lead.consent.ip)) ?? lead.consent.ip
  const distributorLead = toDistributorLead(lead, campaign, ipToSend(looked, fallbackIp))
  const startedAt = clock()
  const result = await distributor.send(distributorLead, lead.id, signal)
  return { delivery, startedAt, endedAt: clock(), ...result }
}

/**
 * Each worker that tried it died without a result: the lead may be the cause, so it must not be
 * retried forever.
 */
const givenUp = (delivery: ClaimedDelivery, now: number): Attempted => ({
  delivery,
  startedAt: now,
  endedAt: now,
  outcome: { name: 'not-made', reason: 'given-up' },
})

/** Undefined where there is nothing to write down. */
function afterAttempt(
  { delivery, endedAt, outcome, verdict }: WeighedAttempt,
  schedule: readonly number[],
): AfterAttempt | undefined {
  const tries = delivery.triesSpent + 1
  const move = nextMove(outcome, { tries, schedule, verdict })
  switch (move.kind) {
    case 'settle':
      return { settledAs: move.as, at: endedAt }
    case 'retry': {
      const { kind: _, afterMs, ...how } = move
      return { retryAt: endedAt + afterMs, ...how }
    }
    case 'due-again':
      return { dueAgain: true }
    case 'give-back':
      return undefined
  }
}

export type DeliverLead = ReturnType<typeof makeDeliverLead>

interface SureRecord {
  readonly attempt: RecordedAttempt
  /** Ends the wait, which then rejects with the store's last error. */
  readonly signal: AbortSignal
  /** Called for each try that fails. */
  readonly onNotRecorded: (error: unknown) => void
  /** Milliseconds between two tries. */
  readonly pauseMs?: number
}

/**
 * Records an attempt however long the store is away. Giving up would make an answer unknown, and a lead that the
 * distributor has taken would be sent again.
 */
export async function recordWithRetry(
  queue: Pick<DeliveryQueue, 'record'>,
  { attempt, signal, onNotRecorded, pauseMs = 1000 }: SureRecord,
): Promise<boolean> {
  for (;;) {
    try {
      return await queue.record(attempt)
    } catch (error) {
      onNotRecorded(error)
      if (signal.aborted) throw error
      // It rejects where it is cut short: the next try is then the last.
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
