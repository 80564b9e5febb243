import type { Histogram } from '#domain/delivery/histogram.ts'
import type { OutcomeName } from '#domain/delivery/outcome.ts'

/** What a rollup is of, in milliseconds. */
export const slotMs = 300_000

/** Kept as long as the longest range that is shown, and a day. */
export const keptMs = 8 * 24 * 3_600_000

/** What came of the attempts that were written down in five minutes. Times are epoch milliseconds. */
export interface DeliveryRollup {
  readonly from: number
  readonly delivered: number
  readonly rejected: number
  /** Busy, broken, refused, unreachable, or nobody knows. */
  readonly failed: number
  /** Milliseconds from when it was owed to when it was delivered; and of each call. */
  readonly waits: Histogram
  readonly calls: Histogram
  /** As they ended: how many deliveries waited, and since when the oldest; null where nobody counted then. */
  readonly waiting: number | null
  readonly oldestAt: number | null
}

export interface MadeAttempt {
  readonly id: string
  readonly outcome: OutcomeName
  readonly startedAt: number
  readonly durationMs: number
  /** Since when the delivery is owed. */
  readonly owedAt: number
}

export interface AttemptRange {
  /** Written down then or later, and before then; epoch milliseconds. */
  readonly since: number
  readonly until: number
  /** Only those after this one, by its id. */
  readonly after?: string | undefined
  readonly take: number
}

export type RolledUpAnswers = Pick<DeliveryRollup, 'from' | 'delivered' | 'rejected'>

export interface DeliveryRollups {
  /** The oldest first. */
  list(since: number): Promise<readonly DeliveryRollup[]>
  /** The same without what takes long to read. */
  answers(since: number): Promise<readonly RolledUpAnswers[]>
  /** Where the newest begins. */
  newest(): Promise<number | undefined>
  /** Where another process was quicker nothing changes; the oldest go. */
  keep(rollup: DeliveryRollup, now: number): Promise<void>
  /** In the order in which they were written down. */
  attempts(range: AttemptRange): Promise<readonly MadeAttempt[]>
  /** Of all attempts, the newest first. */
  latest(take: number): Promise<readonly Pick<MadeAttempt, 'outcome' | 'startedAt'>[]>
  /** When the first of a time was written down, in epoch milliseconds. */
  firstAttempt(range: Pick<AttemptRange, 'since' | 'until'>): Promise<number | undefined>
}
