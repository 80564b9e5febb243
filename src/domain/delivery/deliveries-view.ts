import type { BreakerState } from './breaker.ts'

/** What the page Deliveries shows. */
export interface DeliveriesView {
  readonly breaker: BreakerState
  readonly backlog: DeliveryBacklogCounts
  readonly groups: readonly ErrorGroup[]
  readonly figures: AttemptChartData
  /** The current time in epoch milliseconds. */
  readonly now: number
}

export interface DeliveryBacklogCounts {
  readonly waiting: LimitedCount
  /** The deliveries that workers claim next, unless the breaker makes them wait. */
  readonly due: LimitedCount
  /** The waiting deliveries that a cap holds until a later time. */
  readonly held: number
  /** The lead that has waited longest, apart from those that a cap holds. */
  readonly oldest: { readonly id: string; readonly receivedAt: number } | undefined
}

/** The states of deliveries that have failed so far. */
export const unacceptedStates = ['waiting', 'dead', 'rejected'] as const

export type UnacceptedState = (typeof unacceptedStates)[number]

/** Leads that the distributor answered alike, or not at all. Times are epoch milliseconds. */
export interface ErrorGroup {
  /** A lead filter accepts the id in place of an error. */
  readonly id: string
  /** The error, in the format of `LeadFilter`. */
  readonly error: string
  /** The distributor's response without personal data; empty if there was no response. */
  readonly words: string
  readonly leads: Readonly<Record<UnacceptedState, LimitedCount>>
  /** The earliest and the latest of the leads' latest failed attempts. */
  readonly firstAt: number
  readonly lastAt: number
  /** The id of the lead that failed last. */
  readonly example: string
}

export interface LimitedCount {
  readonly count: number
  /** False if counting stopped at a limit. */
  readonly isAll: boolean
}

/** The attempts of the last 24 hours by outcome. Times are epoch milliseconds. */
export interface AttemptChartData {
  readonly barMs: number
  /** Oldest first. */
  readonly bars: readonly AttemptChartBar[]
  readonly total: AttemptCounts
  /** How long the latest calls to the distributor took: median and 95th percentile. */
  readonly latency: { readonly calls: number; readonly medianMs: number; readonly p95Ms: number }
}

export interface AttemptCounts {
  readonly delivered: number
  readonly rejected: number
  /** Busy, broken, refused, unreachable or unknown. */
  readonly failed: number
}

export interface AttemptChartBar extends AttemptCounts {
  readonly from: number
}

export type DistributorAnswerCounts = Omit<AttemptCounts, 'failed'>

export interface RecentAnswerCounts {
  /** The answers of the last 24 hours, accurate to five minutes. */
  readonly lastDay: DistributorAnswerCounts
  /** The answers of the seven days before the last 24 hours. */
  readonly before: DistributorAnswerCounts
}

/** The distributor's answers to one affiliate's leads, by the time when the leads were received. */
export interface AffiliateAnswerCounts extends RecentAnswerCounts {
  readonly affiliate: string
}
