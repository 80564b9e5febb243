import type { BreakerState } from './breaker.ts'

/** The state of all deliveries, without personal data. */
export interface DeliveriesView {
  readonly breaker: BreakerState
  readonly backlog: DeliveryBacklogCounts
  readonly groups: readonly ErrorGroup[]
  readonly figures: AttemptChartData
  /** The current time in epoch milliseconds. */
  readonly now: number
}

export interface DeliveryBacklogCounts {
  readonly waiting: CappedCount
  /** The due deliveries, which workers claim next unless a pause or the breaker holds them back. */
  readonly due: CappedCount
  /** The waiting deliveries that a cap holds until a later time. */
  readonly held: number
  /** The lead that was received first of those that wait and aren't held; undefined if there is none. */
  readonly oldest: { readonly id: string; readonly receivedAt: number } | undefined
}

/** The states of failed deliveries, which wait for the distributor or for an operator. */
export const unacceptedStates = ['waiting', 'dead', 'rejected'] as const

export type UnacceptedState = (typeof unacceptedStates)[number]

/** Leads with the same response from the distributor, or without a response. Times are epoch milliseconds. */
export interface ErrorGroup {
  /** The group's id, which a lead filter accepts in place of an error. */
  readonly id: string
  /** The error, in the format of `LeadFilter`. */
  readonly error: string
  /** The distributor's response without personal data; empty if there was no response. */
  readonly words: string
  readonly leads: Readonly<Record<UnacceptedState, CappedCount>>
  /** The earliest and the latest of the leads' last failed attempts. */
  readonly firstAt: number
  readonly lastAt: number
  /** The id of the lead that failed last. */
  readonly example: string
}

export interface CappedCount {
  readonly count: number
  /** False if counting stopped at a limit. */
  readonly isAll: boolean
}

/** The results of deliveries, one entry per bar of the chart. Times are epoch milliseconds. */
export interface AttemptChartData {
  readonly barMs: number
  /** The bars of the chart, oldest first. */
  readonly bars: readonly AttemptChartBar[]
  readonly total: AttemptCounts
  /** The duration of the latest calls to the distributor: number of calls, median and 95th percentile. */
  readonly latency: { readonly calls: number; readonly medianMs: number; readonly p95Ms: number }
}

export interface AttemptCounts {
  readonly delivered: number
  readonly rejected: number
  /** The number of attempts with the outcome busy, broken, refused, unreachable or unknown. */
  readonly failed: number
}

export interface AttemptChartBar extends AttemptCounts {
  readonly from: number
}

/** The number of leads by the distributor's answer. */
export interface AnswerCounts {
  readonly delivered: number
  readonly rejected: number
}

export interface RecentAnswerCounts {
  /** The answers of the last 24 hours, accurate to five minutes. */
  readonly lastDay: AnswerCounts
  /** The answers of the seven days before the last 24 hours. */
  readonly before: AnswerCounts
}

/** The distributor's answers to one affiliate's leads, by the time when the leads were received. */
export interface AffiliateAnswerCounts extends RecentAnswerCounts {
  readonly affiliate: string
}
