import {
  type DeliveryRollups,
  type RolledUpAnswers,
  slotMs,
} from '#server/delivery/rollups/delivery-rollups.ts'
import { countLive } from '#server/delivery/rollups/figures-of.ts'

/** What the distributor answered, of what it read. */
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

const day = 24 * 3_600_000

/** Undefined while the store is being caught up with, as after an upgrade. Counted by when the answer was written down. */
export async function readRecentAnswers(
  rollups: Pick<DeliveryRollups, 'answers' | 'attempts'>,
  now: number,
): Promise<RecentAnswers | undefined> {
  const since = now - 8 * day
  const kept = await rollups.answers(since)
  const newest = kept.at(-1)
  const live = await countLive(rollups, newest === undefined ? since : newest.from + slotMs, now)
  if (live.countedUntil !== undefined) return undefined
  const slots = [...kept, ...live.slots]
  return {
    lastDay: sumOf(slots.filter(({ from }) => from >= now - day)),
    before: sumOf(slots.filter(({ from }) => from < now - day)),
  }
}

const sumOf = (slots: readonly RolledUpAnswers[]): Answers => ({
  delivered: slots.reduce((sum, { delivered }) => sum + delivered, 0),
  rejected: slots.reduce((sum, { rejected }) => sum + rejected, 0),
})
