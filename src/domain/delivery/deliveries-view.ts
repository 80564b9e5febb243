import type { BreakerState } from './breaker.ts'
import type { Hold } from './hold.ts'

/** How deliveries stand. Nobody is named in it but operators. */
export interface DeliveriesView {
  readonly breaker: BreakerState
  /** The newest first; who did it only for those who may see the audit. */
  readonly holds: readonly Hold[]
  readonly backlog: Backlog
  readonly groups: readonly ErrorGroup[]
  readonly figures: DeliveryFigures
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether something of it was counted for somebody who looked before. */
  readonly isOld: boolean
}

/** The deliveries that are still waiting. */
export interface Backlog {
  readonly waiting: CountedLeads
  /** Of them: those that a worker takes next, or would. */
  readonly due: CountedLeads
  /** Received the longest ago; undefined where none waits. */
  readonly oldest: { readonly id: string; readonly receivedAt: number } | undefined
}

/** Open and refused deliveries: each waits for the distributor or for an operator. */
export const failedStandings = ['waiting', 'dead', 'rejected'] as const

export type FailedStanding = (typeof failedStandings)[number]

/** Leads with the same response of the distributor, or with none. Times are epoch milliseconds. */
export interface ErrorGroup {
  /** Identifies the leads' group in a filter, in place of an error. */
  readonly id: string
  /** As in `LeadFilter`. */
  readonly error: string
  /** The distributor's response without personal data; empty if there was none. */
  readonly words: string
  readonly leads: Readonly<Record<FailedStanding, CountedLeads>>
  /** When the first and the last of them failed, by their last attempt each. */
  readonly firstAt: number
  readonly lastAt: number
  /** The reference of the lead that failed last. */
  readonly example: string
}

export interface CountedLeads {
  readonly count: number
  /** False where not all were counted. */
  readonly isAll: boolean
}

/** The results of deliveries, bar by bar. Times are epoch milliseconds. */
export interface DeliveryFigures {
  readonly barMs: number
  /** The oldest first. */
  readonly bars: readonly FiguresBar[]
  readonly total: AttemptCounts
}

interface AttemptCounts {
  readonly delivered: number
  readonly rejected: number
  /** Busy, broken, refused, unreachable or unknown. */
  readonly failed: number
}

export interface FiguresBar extends AttemptCounts {
  readonly from: number
  /** Undefined without any. */
  readonly waits: Lengths | undefined
  readonly calls: Lengths | undefined
  /** As the bar ended; null if no process was running. */
  readonly waiting: number | null
  readonly oldestMs: number | null
}

/** In milliseconds: the median and the 95th percentile. */
export interface Lengths {
  readonly median: number
  readonly slow: number
}

/** The distributor's answers to leads that it read. */
export interface Answers {
  readonly delivered: number
  readonly rejected: number
}

export interface RecentAnswers {
  /** Of the last 24 hours, to five minutes. */
  readonly lastDay: Answers
  /** Of the seven days before them. */
  readonly before: Answers
}

/** The answers to one affiliate's leads, by when they were received. */
export interface AffiliateAnswers extends RecentAnswers {
  readonly affiliate: string
}
