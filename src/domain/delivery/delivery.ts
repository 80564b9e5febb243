/** How a delivery ended; `erased`: it was still owed when its person's data were erased. */
export type Settlement = 'delivered' | 'rejected' | 'dead' | 'erased'

/** What an operator can say of a delivery that the distributor was asked about. */
export const settledByHand = ['delivered', 'rejected'] as const satisfies readonly Settlement[]

export type SettledByHand = (typeof settledByHand)[number]

/** The distributor has not taken the lead and is not asked any more: whoever repeats it is held by nobody. */
export const isNotTaken = (settledAs: Settlement | null | undefined): boolean =>
  settledAs === 'rejected' || settledAs === 'dead'

export type DeliveryStatus = 'pending' | 'leased' | Settlement

/** The facts that a delivery's status is derived from. Times are epoch milliseconds. */
export interface DeliveryFacts {
  readonly settledAs: Settlement | null
  /** Until when a worker has it, or null when none has. */
  readonly leasedUntil: number | null
}

export function deliveryStatus(facts: DeliveryFacts, now: number): DeliveryStatus {
  if (facts.settledAs !== null) return facts.settledAs
  return facts.leasedUntil !== null && facts.leasedUntil > now ? 'leased' : 'pending'
}
