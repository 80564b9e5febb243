import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { Hold } from '#domain/delivery/hold.ts'

/** How deliveries stand. Times are epoch milliseconds. */
export interface ShownDeliveries {
  readonly breaker: BreakerState
  /** The newest first. */
  readonly holds: readonly Hold[]
  readonly backlog: {
    readonly waiting: ShownCount
    readonly due: ShownCount
    readonly oldest: { readonly id: string; readonly receivedAt: number } | undefined
  }
  readonly groups: readonly ShownGroup[]
  readonly figures: ShownFigures
  readonly now: number
  /** Whether the figures are old enough to be worth a refresh. */
  readonly isOld: boolean
}

export interface ShownCount {
  readonly count: number
  /** False where not all were counted. */
  readonly isAll: boolean
}

export interface ShownGroup {
  readonly id: string
  readonly error: string
  readonly words: string
  readonly leads: Readonly<Record<'waiting' | 'dead' | 'rejected', ShownCount>>
  readonly firstAt: number
  readonly lastAt: number
  readonly example: string
}

export interface ShownFigures {
  readonly barMs: number
  readonly bars: readonly ShownBar[]
  readonly total: { readonly delivered: number; readonly rejected: number; readonly failed: number }
}

export interface ShownBar {
  readonly from: number
  readonly delivered: number
  readonly rejected: number
  readonly failed: number
  readonly waits: ShownLengths | undefined
  readonly calls: ShownLengths | undefined
  readonly waiting: number | null
  readonly oldestMs: number | null
}

interface ShownLengths {
  readonly median: number
  readonly slow: number
}

/** `over 50,000` where not all were counted. */
export const formatCount = ({ count, isAll }: ShownCount): string =>
  `${isAll ? '' : 'over '}${count.toLocaleString('en-US')}`
