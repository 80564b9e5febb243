/** The final result of a delivery. `erased`: the delivery was still open when the person's data were erased. */
export type Settlement = 'delivered' | 'rejected' | 'dead' | 'erased'

/** The results that an operator may set for a delivery that may have reached the distributor. */
export const manualSettlements = ['delivered', 'rejected'] as const satisfies readonly Settlement[]

export type ManualSettlement = (typeof manualSettlements)[number]

/** Returns true if the delivery ended without acceptance, so that a repeated enquiry is no duplicate. */
export const isFinalWithoutAcceptance = (settledAs: Settlement | null | undefined): boolean =>
  settledAs === 'rejected' || settledAs === 'dead'

export type DeliveryStatus = 'pending' | 'leased' | Settlement

/** The fields that determine a delivery's status. Times are epoch milliseconds. */
export interface DeliveryStatusFields {
  readonly settledAs: Settlement | null
  /** The end of the worker's lease; null if no worker holds a lease. */
  readonly leasedUntil: number | null
}

export function findDeliveryStatus(delivery: DeliveryStatusFields, now: number): DeliveryStatus {
  if (delivery.settledAs !== null) return delivery.settledAs
  return delivery.leasedUntil !== null && delivery.leasedUntil > now ? 'leased' : 'pending'
}

/** The share of a lease that must remain when an attempt begins. */
export const minLeaseShareLeft = 0.8

/** The maximum time that an attempt waits for the IP service, in milliseconds. */
export const ipLookupTimeoutMs = 3000

interface AttemptTimes {
  /** The timeout of one call to the distributor, in milliseconds. */
  readonly timeout: number
  /** True if the attempt asks an IP service before the call. */
  readonly looksUpIp: boolean
}

/**
 * Returns the shortest lease that outlasts an attempt with the latest allowed start, in milliseconds: two workers must
 * not send a lead at the same time.
 */
export const findMinLease = ({ timeout, looksUpIp }: AttemptTimes): number =>
  Math.ceil((timeout + (looksUpIp ? ipLookupTimeoutMs : 0)) / minLeaseShareLeft)
