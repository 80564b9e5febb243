import type { BreakerState } from './breaker.ts'

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
  /** The due deliveries, which workers claim next if the breaker is closed. */
  readonly due: LimitedCount
  /** The waiting deliveries that a cap holds until a later time. */
  readonly held: number
  /** The lead that has waited longest, among those that no cap holds. */
  readonly oldest: { readonly id: string; readonly receivedAt: number } | undefined
}

/** The states of a delivery that has failed at least once. */
export type StateAfterFailedAttempt = 'waiting' | 'dead' | 'rejected'

/** The filter for the leads that the retry of a group acts on. A retry of errors leaves rejected leads alone. */
export const retriedStatuses = {
  errors: 'status=pending&status=leased&status=dead',
  rejections: 'status=rejected',
} as const

export type ErrorGroupKind = keyof typeof retriedStatuses

/** Leads whose last attempt failed for the same reason. Times are epoch milliseconds. */
export interface ErrorGroup {
  /** Whether the distributor rejected the leads, or the attempts failed. Leads of both kinds may share an id. */
  readonly kind: ErrorGroupKind
  /** The group's id, which a lead filter accepts instead of an error. */
  readonly id: string
  /** The error in the format of `LeadFilter`, such as `503` or `timeout`. */
  readonly error: string
  /** The distributor's response, reduced to what the leads have in common; empty if there was no response. */
  readonly words: string
  readonly leads: Readonly<Record<StateAfterFailedAttempt, LimitedCount>>
  /** The earliest and the latest time of the leads' last attempts. */
  readonly firstAt: number
  readonly lastAt: number
  /** The id of the lead that failed last. */
  readonly example: string
}

export interface LimitedCount {
  readonly count: number
  /** False if the store stopped counting at a limit. */
  readonly isAll: boolean
}

/** The attempts of the last 24 hours by outcome. Times are epoch milliseconds. */
export interface AttemptChartData {
  readonly barMs: number
  /** Oldest first. */
  readonly bars: readonly AttemptChartBar[]
  readonly total: AttemptCounts
  /** The duration of the latest calls to the distributor: median and 95th percentile. */
  readonly latency: { readonly calls: number; readonly medianMs: number; readonly p95Ms: number }
}

export interface AttemptCounts {
  readonly delivered: number
  readonly rejected: number
  /** Attempts with the outcome busy, broken, refused, unreachable or unknown. */
  readonly failed: number
}

export interface AttemptChartBar extends AttemptCounts {
  readonly from: number
}

export type DistributorAnswerCounts = Omit<AttemptCounts, 'failed'>

export interface RecentAnswerCounts {
  /** The distributor's answers of the last 24 hours, accurate to five minutes. */
  readonly lastDay: DistributorAnswerCounts
  /** The distributor's answers of the seven days before the last 24 hours; undefined if the leads began later. */
  readonly before: DistributorAnswerCounts | undefined
  /** When the first lead came, in epoch milliseconds; only without `before`. */
  readonly firstAt?: number | undefined
}
