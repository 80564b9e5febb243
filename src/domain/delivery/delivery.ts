/** How a delivery ended. `erased`: it ended because the person's data were erased. */
export type Settlement = 'delivered' | 'rejected' | 'dead' | 'erased'

/** The results that an operator may set for a delivery if the distributor may have received the lead. */
export const manualSettlements = ['delivered', 'rejected'] as const satisfies readonly Settlement[]

export type ManualSettlement = (typeof manualSettlements)[number]

/** Returns whether a delivery ended without acceptance. A repeated enquiry is then no duplicate. */
export const isRejectedOrDead = (settledAs: Settlement | null | undefined): boolean =>
  settledAs === 'rejected' || settledAs === 'dead'

export type DeliveryStatus = 'pending' | 'leased' | Settlement

interface DeliveryStatusFields {
  readonly settledAs: Settlement | null
  /** The end of a worker's lease in epoch milliseconds; null without a lease. */
  readonly leasedUntil: number | null
}

export function findDeliveryStatus(delivery: DeliveryStatusFields, now: number): DeliveryStatus {
  if (delivery.settledAs !== null) return delivery.settledAs
  return delivery.leasedUntil !== null && delivery.leasedUntil > now ? 'leased' : 'pending'
}

/** The share of its lease that a worker must still have when it begins an attempt. */
export const minLeaseShareLeft = 0.8

/** The longest time that an attempt waits for the IP service, in milliseconds. */
export const ipLookupTimeoutMs = 3000

/**
 * Returns the shortest lease, in milliseconds, that outlasts every attempt, so that no two workers send the same lead.
 * @param looksUpIp whether an attempt asks the IP service before it calls the distributor
 */
export const calculateMinLeaseMs = (callTimeoutMs: number, looksUpIp: boolean): number =>
  Math.ceil((callTimeoutMs + (looksUpIp ? ipLookupTimeoutMs : 0)) / minLeaseShareLeft)
