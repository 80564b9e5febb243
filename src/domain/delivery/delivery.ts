import type { OutcomeName } from './outcome.ts'

/** The final result of a delivery. `erased`: the delivery was still open when the person's data were erased. */
export type Settlement = 'delivered' | 'rejected' | 'dead' | 'erased'

/** The operator's decision on a delivery that may have reached the distributor. */
export const settledByHand = ['delivered', 'rejected'] as const satisfies readonly Settlement[]

export type SettledByHand = (typeof settledByHand)[number]

/** True if the distributor did not accept the lead and gets no further attempt, so that a repeat is no duplicate. */
export const isClosedWithoutAcceptance = (settledAs: Settlement | null | undefined): boolean =>
  settledAs === 'rejected' || settledAs === 'dead'

export type DeliveryStatus = 'pending' | 'leased' | Settlement

/** The facts that determine a delivery's status. Times are epoch milliseconds. */
export interface DeliveryFacts {
  readonly settledAs: Settlement | null
  /** The end of the worker's lease; null if no worker holds a lease. */
  readonly leasedUntil: number | null
}

export function deliveryStatus(facts: DeliveryFacts, now: number): DeliveryStatus {
  if (facts.settledAs !== null) return facts.settledAs
  return facts.leasedUntil !== null && facts.leasedUntil > now ? 'leased' : 'pending'
}

/** The result that a delivery had before it was reopened. Times are epoch milliseconds. */
export interface Ending {
  readonly settledAs: Settlement
  readonly settledAt: number
  readonly isByHand: boolean
  readonly owedAgainAt: number
}

/** A period in which a lead waited for delivery. */
export interface WaitingPeriod {
  readonly since: number
  readonly until: number
}

interface Waiting {
  /** `since`: when the lead arrived or left quarantine. `until`: when it was settled, or the current time. */
  readonly since: number
  readonly until: number
  readonly endings: readonly Ending[]
  readonly attempts: readonly {
    readonly startedAt: number
    readonly durationMs: number
    readonly outcome: OutcomeName
  }[]
}

/** Returns the periods in which the lead waited, oldest first, without the time between a settlement and a retry. */
export function waitingPeriods({
  since,
  until,
  endings,
  attempts,
}: Waiting): readonly WaitingPeriod[] {
  const recordedGaps = endings.map(({ settledAt, owedAgainAt }) => ({
    from: settledAt,
    to: owedAgainAt,
  }))
  // An attempt after a rejection shows an unrecorded retry: the lead was waiting at that time at the latest.
  const unrecordedGaps = attempts.flatMap(({ startedAt, durationMs, outcome }, index) => {
    const next = attempts[index + 1]
    if (outcome !== 'rejected' || next === undefined) return []
    const gap = { from: startedAt + durationMs, to: next.startedAt }
    const isRecorded = recordedGaps.some(({ from, to }) => from <= gap.to && to >= gap.from)
    return isRecorded ? [] : [gap]
  })
  const gaps = [...recordedGaps, ...unrecordedGaps].toSorted((one, other) => one.from - other.from)
  const begins = [since, ...gaps.map(({ to }) => to)]
  const ends = [...gaps.map(({ from }) => from), until]
  return begins
    .map((begin, index) => ({ since: begin, until: ends[index] ?? until }))
    .filter((period) => period.until > period.since)
}

/** The share of a lease that must remain when an attempt begins. */
export const minLeaseShareLeft = 0.8

/** The maximum time that an attempt waits for the IP service, in milliseconds. */
export const ipLookupTimeout = 3000

interface AttemptTimes {
  /** The timeout of one call to the distributor, in milliseconds. */
  readonly timeout: number
  /** True if the attempt asks an IP service before the call. */
  readonly looksUpIp: boolean
}

/**
 * The shortest lease, in milliseconds, that outlasts an attempt with the latest allowed start: a second worker must not
 * send a lead that is still being sent.
 */
export const shortestLease = ({ timeout, looksUpIp }: AttemptTimes): number =>
  Math.ceil((timeout + (looksUpIp ? ipLookupTimeout : 0)) / minLeaseShareLeft)
