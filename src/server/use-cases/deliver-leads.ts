import type { Settlement } from '#domain/delivery/delivery.ts'
import { nextMove } from '#domain/delivery/next-move.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { ipToSend } from '#domain/lead/derived.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type CampaignSettings, toWireLead, type WireLead } from '#domain/lead/wire-lead.ts'

/** A delivery that this worker holds the lease of. */
export interface ClaimedDelivery {
  readonly id: string
  /** Fences the settlement: another worker's claim replaces it. */
  readonly lease: string
  /** Attempts recorded before this one. */
  readonly attemptsBefore: number
  readonly lead: Lead
}

export interface RecordedAttempt {
  readonly deliveryId: string
  readonly lease: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: AttemptOutcome
  readonly next:
    | { readonly settledAs: Settlement; readonly at: number }
    /** Epoch milliseconds of the next attempt. */
    | { readonly retryAt: number }
}

export interface DeliveryQueue {
  /** Takes at most `limit` due deliveries, oldest due first, and leases them until `leaseUntil`. */
  claimDue(claim: {
    readonly now: number
    readonly leaseUntil: number
    readonly limit: number
  }): Promise<readonly ClaimedDelivery[]>
  /**
   * Writes the attempt and what follows from it in one transaction. False where the lease was lost meanwhile: the
   * attempt is written all the same, and only a `delivered` still settles the delivery, as that is a fact.
   */
  record(attempt: RecordedAttempt): Promise<boolean>
  /** Gives leases back, so that another worker can claim at once. */
  release(deliveries: readonly ClaimedDelivery[], now: number): Promise<void>
}

/** The lead-distribution service. */
export interface Distributor {
  /** @param idempotencyKey travels with every attempt of the same delivery */
  send(lead: WireLead, idempotencyKey: string, signal: AbortSignal): Promise<AttemptOutcome>
}

/** The service's `IPv4`, which may be words like "Not found"; undefined where it did not answer. */
export type IpLookup = (ip: string) => Promise<string | undefined>

export interface DeliverLeadsPorts {
  readonly queue: DeliveryQueue
  readonly distributor: Distributor
  readonly lookUpIp: IpLookup
  readonly clock: () => number
}

export interface DeliverySettings {
  readonly campaign: CampaignSettings
  readonly fallbackIp: string
  /** Waits between attempts, in milliseconds. */
  readonly retrySchedule: readonly number[]
}

/** One attempt of one claimed delivery, recorded. */
export function makeDeliverLead(ports: DeliverLeadsPorts, settings: DeliverySettings) {
  const { queue, distributor, lookUpIp, clock } = ports
  return async (delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptOutcome> => {
    const { lead } = delivery
    const looked = (await lookUpIp(lead.consent.ip)) ?? lead.consent.ip
    const wireLead = toWireLead(lead, settings.campaign, ipToSend(looked, settings.fallbackIp))
    const startedAt = clock()
    const outcome = await distributor.send(wireLead, lead.id, signal)
    const endedAt = clock()
    const move = nextMove(outcome, delivery.attemptsBefore + 1, settings.retrySchedule)
    await queue.record({
      deliveryId: delivery.id,
      lease: delivery.lease,
      startedAt,
      durationMs: endedAt - startedAt,
      outcome,
      next:
        move.kind === 'settle'
          ? { settledAs: move.as, at: endedAt }
          : { retryAt: endedAt + move.afterMs },
    })
    return outcome
  }
}

export type DeliverLead = ReturnType<typeof makeDeliverLead>
