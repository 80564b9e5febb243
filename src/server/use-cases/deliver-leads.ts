import type { Settlement } from '#domain/delivery/delivery.ts'
import { nextMove } from '#domain/delivery/next-move.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { ipToSend } from '#domain/lead/derived.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type CampaignSettings, toWireLead, type WireLead } from '#domain/lead/wire-lead.ts'
import { recordSurely } from './record-surely.ts'

/** A delivery that this worker holds the lease of. */
export interface ClaimedDelivery {
  readonly id: string
  /** Fences the settlement: another worker's claim replaces it. */
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leasedUntil: number
  /** Earlier attempts that spent the retry schedule. */
  readonly triesSpent: number
  readonly lead: Lead
}

export interface RecordedAttempt {
  /** A UUID: the same attempt recorded again changes nothing. */
  readonly id: string
  readonly deliveryId: string
  readonly lease: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: AttemptOutcome
  readonly next: AfterAttempt
}

/** Times are epoch milliseconds. */
export type AfterAttempt =
  | { readonly settledAs: Settlement; readonly at: number }
  /** `schedule`: our own wait, which the end of an outage cuts short. `distributor`: the time that it named. */
  | { readonly retryAt: number; readonly setBy: 'schedule' | 'distributor' }
  /** The attempt says nothing of the lead: it is due as before and has spent nothing. */
  | { readonly dueAgain: true }

export interface Claim {
  readonly now: number
  readonly leaseUntil: number
}

export interface DeliveryQueue {
  /**
   * Takes at most `limit` due deliveries, oldest due first, and leases them until `leaseUntil`. One whose lease ran out
   * first gets an `unknown` attempt: whoever had it may have sent it.
   */
  claimDue(claim: Claim & { readonly limit: number }): Promise<readonly ClaimedDelivery[]>
  /**
   * Takes the right to the gate's next probe and the oldest due delivery for it, both or neither. However many workers
   * ask, one probe is under way at a time, until it has failed or its lease has run out.
   */
  claimProbe(claim: Claim): Promise<ClaimedDelivery | undefined>
  /**
   * Writes the attempt and what follows from it in one transaction. False where the lease was lost meanwhile: the
   * attempt is written all the same, and only a `delivered` still settles the delivery, as that is a fact.
   */
  record(attempt: RecordedAttempt): Promise<boolean>
  /** Gives leases back unused, so that another worker can claim at once. */
  release(deliveries: readonly ClaimedDelivery[]): Promise<void>
}

/** The lead-distribution service. */
export interface Distributor {
  /** @param idempotencyKey travels with every attempt of the same delivery */
  send(lead: WireLead, idempotencyKey: string, signal: AbortSignal): Promise<AttemptOutcome>
}

/** The service's `IPv4`, which may be words like "Not found"; undefined where it did not answer. */
export type IpLookup = (ip: string) => Promise<string | undefined>

/** One attempt, made: times as in {@link RecordedAttempt}. */
export interface Attempted {
  readonly delivery: ClaimedDelivery
  readonly startedAt: number
  readonly endedAt: number
  readonly outcome: AttemptOutcome
}

export interface DeliverLeadsPorts {
  readonly queue: Pick<DeliveryQueue, 'record'>
  readonly distributor: Distributor
  readonly lookUpIp: IpLookup
  readonly clock: () => number
  readonly newId: () => string
  /** Hears of the outcome before it is recorded, so that a gate shuts before the delivery can be due again. */
  readonly onOutcome: (attempted: Attempted) => Promise<void>
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
    attempt: async (delivery: ClaimedDelivery, signal: AbortSignal): Promise<Attempted> => {
      const attempted =
        delivery.triesSpent > retrySchedule.length
          ? notTried(delivery, clock())
          : await send(delivery, signal, ports, settings)
      // A call that we cut off ourselves says nothing of the distributor.
      if (!signal.aborted) await onOutcome(attempted)
      return attempted
    },
    /** Resolves once the attempt and what follows from it are on disk; rejects only where `signal` ends the waiting. */
    record: async (attempted: Attempted, signal: AbortSignal): Promise<void> => {
      const { delivery, startedAt, endedAt, outcome } = attempted
      await recordSurely(queue, {
        attempt: {
          id: newId(),
          deliveryId: delivery.id,
          lease: delivery.lease,
          startedAt,
          durationMs: endedAt - startedAt,
          outcome,
          next: afterAttempt(attempted, retrySchedule),
        },
        signal,
        onNotRecorded: (error) => onNotRecorded(delivery, error),
      })
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
  const wireLead = toWireLead(lead, campaign, ipToSend(looked, fallbackIp))
  const startedAt = clock()
  const outcome = await distributor.send(wireLead, lead.id, signal)
  return { delivery, startedAt, endedAt: clock(), outcome }
}

/** Whoever tried it ended without a word, again and again: it may be the lead, and must not go round for ever. */
const notTried = (delivery: ClaimedDelivery, now: number): Attempted => ({
  delivery,
  startedAt: now,
  endedAt: now,
  outcome: { name: 'unreachable', detail: 'not sent: the tries before it ended without a word' },
})

function afterAttempt(
  { delivery, endedAt, outcome }: Attempted,
  schedule: readonly number[],
): AfterAttempt {
  const move = nextMove(outcome, delivery.triesSpent + 1, schedule)
  switch (move.kind) {
    case 'settle':
      return { settledAs: move.as, at: endedAt }
    case 'retry':
      return { retryAt: endedAt + move.afterMs, setBy: move.setBy }
    case 'due-again':
      return { dueAgain: true }
  }
}

export type DeliverLead = ReturnType<typeof makeDeliverLead>
