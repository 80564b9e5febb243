import { isSuspicious, type Signal } from '#domain/abuse/signals.ts'
import { dedupeKeyOf } from '#domain/lead/duplicate.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { OwnError } from '#domain/own-error.ts'

export interface AcceptedLead {
  /** The stored lead's id: an earlier one's where the idempotency key was known with the same content (reading 23). */
  readonly id: string
  /** True where the same had been accepted before under this idempotency key; nothing was stored this time. */
  readonly repeated: boolean
  /** The lead that this one repeats (reading 18); such a lead owes no delivery. */
  readonly duplicateOf: string | null
  /** The lead that came first under this idempotency key, with other content (reading 23). */
  readonly corrects: string | null
}

export interface LeadIntake {
  /**
   * Stores lead, consent and delivery in one transaction and resolves only when they are on disk.
   * Rejects when that cannot be said for certain.
   * @throws IntakeFullError where so many wait already that this one was not even tried
   */
  accept(arrival: LeadArrival): Promise<AcceptedLead>
}

/** Nothing is wrong and nothing was stored: a second later there is room. */
export class IntakeFullError extends OwnError {
  override readonly name = 'IntakeFullError'
}

export interface LeadArrival {
  readonly lead: Lead
  readonly idempotencyKey: string
  /** SHA-256, hex, of what tells duplicates: see {@link dedupeKeyOf}. */
  readonly dedupeKey: string
  /** What speaks against it. */
  readonly signals: readonly Signal[]
  /** True where it owes no delivery until the operator releases it. */
  readonly isQuarantined: boolean
}

export interface AcceptEnquiryPorts {
  readonly intake: LeadIntake
  readonly sha256: (text: string) => string
  /** Called once for each lead that owes a delivery, after it is on disk. */
  readonly onDeliveryOwed: () => void
}

/** Makes an enquiry a stored lead. The thank-you may be shown once this resolves (reading 10). */
export function makeAcceptEnquiry({ intake, sha256, onDeliveryOwed }: AcceptEnquiryPorts) {
  return async (
    lead: Lead,
    idempotencyKey: string,
    signals: readonly Signal[],
  ): Promise<AcceptedLead> => {
    const isQuarantined = isSuspicious(signals)
    const accepted = await intake.accept({
      lead,
      idempotencyKey,
      dedupeKey: sha256(dedupeKeyOf(lead)),
      signals,
      isQuarantined,
    })
    const owes = !isQuarantined && !accepted.repeated && accepted.duplicateOf === null
    if (owes) onDeliveryOwed()
    return accepted
  }
}

export type AcceptEnquiry = ReturnType<typeof makeAcceptEnquiry>
