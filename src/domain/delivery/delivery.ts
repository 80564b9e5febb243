import type { OutcomeName } from './outcome.ts'

/** How a delivery ended; `erased`: it was still open when its person's data were erased. */
export type Settlement = 'delivered' | 'rejected' | 'dead' | 'erased'

/** The operator's decision on a delivery that may have reached the distributor. */
export const settledByHand = ['delivered', 'rejected'] as const satisfies readonly Settlement[]

export type SettledByHand = (typeof settledByHand)[number]

/**
 * The distributor has not accepted the lead and is not asked again, so the lead blocks no repeat.
 */
export const isClosedWithoutAcceptance = (settledAs: Settlement | null | undefined): boolean =>
  settledAs === 'rejected' || settledAs === 'dead'

export type DeliveryStatus = 'pending' | 'leased' | Settlement

/** The facts that a delivery's status is derived from. Times are epoch milliseconds. */
export interface DeliveryFacts {
  readonly settledAs: Settlement | null
  /** When the worker's lease ends; null without one. */
  readonly leasedUntil: number | null
}

export function deliveryStatus(facts: DeliveryFacts, now: number): DeliveryStatus {
  if (facts.settledAs !== null) return facts.settledAs
  return facts.leasedUntil !== null && facts.leasedUntil > now ? 'leased' : 'pending'
}

/** How a delivery had ended before it was reopened. Times are epoch milliseconds. */
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
  /** When it came, or was let out of quarantine; and when it was settled, or now. */
  readonly since: number
  readonly until: number
  readonly endings: readonly Ending[]
  readonly attempts: readonly {
    readonly startedAt: number
    readonly durationMs: number
    readonly outcome: OutcomeName
  }[]
}

/**
 * The periods in which the lead waited: not between an end and the retry after it. The first
 * first.
 */
export function waitingPeriods({
  since,
  until,
  endings,
  attempts,
}: Waiting): readonly WaitingPeriod[] {
  const noted = endings.map(({ settledAt, owedAgainAt }) => ({ from: settledAt, to: owedAgainAt }))
  // An attempt after a rejection shows an unrecorded retry: the lead was waiting then at the
  // latest.
  const unrecorded = attempts.flatMap(({ startedAt, durationMs, outcome }, index) => {
    const next = attempts[index + 1]
    if (outcome !== 'rejected' || next === undefined) return []
    const gap = { from: startedAt + durationMs, to: next.startedAt }
    const isNoted = noted.some(({ from, to }) => from <= gap.to && to >= gap.from)
    return isNoted ? [] : [gap]
  })
  const gaps = [...noted, ...unrecorded].toSorted((one, other) => one.from - other.from)
  const begins = [since, ...gaps.map(({ to }) => to)]
  const ends = [...gaps.map(({ from }) => from), until]
  return begins
    .map((begin, index) => ({ since: begin, until: ends[index] ?? until }))
    .filter((stretch) => stretch.until > stretch.since)
}

/** The share of a lease that must be left when an attempt begins. */
export const minLeaseShareLeft = 0.8

/** How long an attempt waits for the IP service at most, in milliseconds. */
export const ipLookupTimeout = 3000

interface AttemptTimes {
  /** For one call to the distributor, in milliseconds. */
  readonly timeout: number
  /** Whether an IP service is asked before the call. */
  readonly looksUpIp: boolean
}

/**
 * The shortest lease, in milliseconds, that outlasts an attempt which begins as late as it may: a second worker must not
 * send a lead that is still being sent.
 */
export const shortestLease = ({ timeout, looksUpIp }: AttemptTimes): number =>
  Math.ceil((timeout + (looksUpIp ? ipLookupTimeout : 0)) / minLeaseShareLeft)
