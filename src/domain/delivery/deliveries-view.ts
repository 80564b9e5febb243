import type { BreakerState } from './breaker.ts'

/** The state of all deliveries, without personal data. */
export interface DeliveriesView {
  readonly breaker: BreakerState
  readonly backlog: Backlog
  readonly groups: readonly ErrorGroup[]
  readonly figures: DeliveryFigures
  /** The current time in epoch milliseconds. */
  readonly now: number
}

export interface Backlog {
  readonly waiting: CountedLeads
  /** The waiting deliveries that a worker takes next, or would take if nothing held them back. */
  readonly due: CountedLeads
  /** The waiting lead that was received first; undefined if no lead is waiting. */
  readonly oldest: { readonly id: string; readonly receivedAt: number } | undefined
}

/** Open and refused deliveries: each waits for the distributor or for an operator. */
export const failedStandings = ['waiting', 'dead', 'rejected'] as const

export type FailedStanding = (typeof failedStandings)[number]

/** Leads with the same response from the distributor, or without a response. Times are epoch milliseconds. */
export interface ErrorGroup {
  /** Identifies the error group in a lead filter, in place of an error. */
  readonly id: string
  /** The error as in `LeadFilter`. */
  readonly error: string
  /** The distributor's response without personal data; empty if there was none. */
  readonly words: string
  readonly leads: Readonly<Record<FailedStanding, CountedLeads>>
  /** The earliest and the latest of the leads' last failed attempts. */
  readonly firstAt: number
  readonly lastAt: number
  /** The reference of the lead that failed last. */
  readonly example: string
}

export interface CountedLeads {
  readonly count: number
  /** Whether the count includes all leads; false if counting stopped at a limit. */
  readonly isAll: boolean
}

/** The results of deliveries, one entry per bar of the chart. Times are epoch milliseconds. */
export interface DeliveryFigures {
  readonly barMs: number
  /** The bars of the chart, oldest first. */
  readonly bars: readonly FiguresBar[]
  readonly total: AttemptCounts
  /** How long the latest calls to the distributor took: their number, the median and the 95th percentile. */
  readonly latency: { readonly calls: number; readonly medianMs: number; readonly p95Ms: number }
}

export interface AttemptCounts {
  readonly delivered: number
  readonly rejected: number
  /** Attempts that ended as busy, broken, refused, unreachable or unknown. */
  readonly failed: number
}

export interface FiguresBar extends AttemptCounts {
  readonly from: number
}

/** The distributor's answers to leads that it read. */
export interface Answers {
  readonly delivered: number
  readonly rejected: number
}

export interface RecentAnswers {
  /** The answers of the last 24 hours, accurate to five minutes. */
  readonly lastDay: Answers
  /** The answers of the seven days before the last 24 hours. */
  readonly before: Answers
}

/** The distributor's answers to one affiliate's leads, by the time when the leads were received. */
export interface AffiliateAnswers extends RecentAnswers {
  readonly affiliate: string
}
