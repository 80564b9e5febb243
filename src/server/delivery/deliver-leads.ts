import { setTimeout } from 'node:timers/promises'
import { type BreakerAfterAttempt, decideNextStep } from '#domain/delivery/next-step.ts'
import {
  type CampaignSettings,
  chooseIp,
  toDistributorLead,
} from '#domain/lead/distributor-lead.ts'
import type { ClaimedDelivery, ClaimedItem } from './claim-deliveries.ts'
import type { WorkQueue } from './delivery-queue.ts'
import type { Distributor, SendResult } from './distributor.ts'

/** Returns the lookup service's `IPv4`, which may be words like "Not found"; undefined without an answer. */
export type IpLookup = (ip: string) => Promise<string | undefined>

/** The result of sending a claimed delivery. Times are epoch milliseconds. */
export interface CompletedAttempt<Item extends ClaimedItem = ClaimedDelivery> extends SendResult {
  readonly delivery: Item
  readonly startedAt: number
  readonly endedAt: number
}

export interface AttemptWithBreaker<Item extends ClaimedItem = ClaimedDelivery>
  extends CompletedAttempt<Item> {
  readonly breakerAfter: BreakerAfterAttempt
}

/** `died`: the lead's last scheduled attempt failed. */
export type NotableOutcome = 'died'

interface DeliverDependencies<Item extends ClaimedItem> {
  readonly queue: Pick<WorkQueue<Item>, 'record' | 'release'>
  readonly clock: () => number
  readonly newId: () => string
  /** Called before the outcome is recorded, so that the breaker opens before the delivery can be due again. */
  readonly onOutcome: (attempted: CompletedAttempt<Item>) => Promise<BreakerAfterAttempt>
  readonly onNotRecorded: (delivery: Item, error: unknown) => void
}

export interface DeliverLeadDependencies extends DeliverDependencies<ClaimedDelivery> {
  readonly distributor: Distributor
  readonly lookUpIp: IpLookup
}

export interface DeliverySettings {
  readonly campaign: CampaignSettings
  readonly fallbackIp: string
  /** Waits between attempts, in milliseconds. */
  readonly retrySchedule: readonly number[]
}

export const makeDeliverLead = (parts: DeliverLeadDependencies, settings: DeliverySettings) =>
  makeDeliver(
    { ...parts, send: (delivery, signal) => sendLead(delivery, signal, parts, settings) },
    settings.retrySchedule,
  )

interface Sender<Item extends ClaimedItem> {
  readonly send: (item: Item, signal: AbortSignal) => Promise<CompletedAttempt<Item>>
}

/** Sends a claimed item, then records the attempt; the next call can start before the attempt is on disk. */
export function makeDeliver<Item extends ClaimedItem>(
  parts: DeliverDependencies<Item> & Sender<Item>,
  retrySchedule: readonly number[],
) {
  const { queue, clock, newId, onOutcome, onNotRecorded } = parts
  return {
    attempt: async (delivery: Item, signal: AbortSignal): Promise<AttemptWithBreaker<Item>> => {
      const attempted =
        delivery.triesSpent > retrySchedule.length
          ? makeGivenUpAttempt(delivery, clock())
          : await parts.send(delivery, signal)
      return { ...attempted, breakerAfter: await onOutcome(attempted) }
    },
    /**
     * Resolves when the attempt is on disk, with the outcome of the lead if an operator should know it. Writing is
     * retried until `signal` aborts and the promise rejects: without the record, an accepted lead could be sent again.
     */
    record: async (
      attempted: AttemptWithBreaker<Item>,
      signal: AbortSignal,
    ): Promise<NotableOutcome | undefined> => {
      const { delivery, startedAt, endedAt, outcome, response, breakerAfter } = attempted
      const tried = {
        tries: delivery.triesSpent + 1,
        endedAt,
        schedule: retrySchedule,
        breakerAfter,
      }
      const next = decideNextStep(outcome, tried)
      if (next === undefined) {
        await queue.release([delivery])
        return undefined
      }
      const { id: deliveryId, lease } = delivery
      const times = { startedAt, durationMs: endedAt - startedAt }
      const attempt = { id: newId(), deliveryId, lease, ...times, outcome, response, next }
      const onFailed = (error: unknown) => onNotRecorded(delivery, error)
      const isHeld = await retryUntil(() => queue.record(attempt), { signal, onFailed })
      return isHeld && 'settledAs' in next && next.settledAs === 'dead' ? 'died' : undefined
    },
  }
}

export type Deliver<Item extends ClaimedItem = ClaimedDelivery> = ReturnType<
  typeof makeDeliver<Item>
>

async function sendLead(
  delivery: ClaimedDelivery,
  signal: AbortSignal,
  { distributor, lookUpIp, clock }: DeliverLeadDependencies,
  { campaign, fallbackIp }: DeliverySettings,
): Promise<CompletedAttempt<ClaimedDelivery>> {
  const { lead } = delivery
  const lookedUpIp = (await lookUpIp(lead.consent.ip)) ?? lead.consent.ip
  const distributorLead = toDistributorLead(lead, campaign, chooseIp(lookedUpIp, fallbackIp))
  const startedAt = clock()
  const result = await distributor.send(distributorLead, lead.id, signal)
  return { delivery, startedAt, endedAt: clock(), ...result }
}

/** Ends a delivery if every worker that tried it died without a result, because the lead may be the cause. */
const makeGivenUpAttempt = <Item extends ClaimedItem>(
  delivery: Item,
  now: number,
): CompletedAttempt<Item> => ({
  delivery,
  startedAt: now,
  endedAt: now,
  outcome: { name: 'not-made', reason: 'given-up' },
})

interface Retrying {
  /** Ends the retries; the promise then rejects with the last error. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
  readonly pauseMs?: number
}

/** Calls `act` until it returns a value, however long the store is unreachable. */
export async function retryUntil<Result>(
  act: () => Promise<Result | undefined>,
  { signal, onFailed, pauseMs = 500 }: Retrying,
): Promise<Result | undefined> {
  for (;;) {
    try {
      const result = await act()
      if (result !== undefined || signal.aborted) return result
    } catch (error) {
      onFailed(error)
      if (signal.aborted) throw error
    }
    // An abort ends the pause, and `act` is then called for the last time.
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
