import { type DeliveryRollups, slotOf } from '#server/delivery/delivery-rollups.ts'

/** The distributor's answers to leads it read. */
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

export async function readRecentAnswers(
  rollups: Pick<DeliveryRollups, 'answers'>,
  now: number,
): Promise<RecentAnswers> {
  const slots = await rollups.answers(slotOf(now - 8 * day))
  return {
    lastDay: sumOf(slots.filter(({ from }) => from >= now - day)),
    before: sumOf(slots.filter(({ from }) => from < now - day)),
  }
}

const sumOf = (slots: readonly Answers[]): Answers => ({
  delivered: slots.reduce((sum, { delivered }) => sum + delivered, 0),
  rejected: slots.reduce((sum, { rejected }) => sum + rejected, 0),
})
