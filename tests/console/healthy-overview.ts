import { closedBreaker } from '#domain/delivery/breaker.ts'
import type { OverviewData } from '#server/alerts/overview-reader.ts'

/** The distributor's answers of a day, after a week in which one in 25 was a rejection. */
export const answered = (delivered: number, rejected: number): OverviewData['answers'] => ({
  lastDay: { delivered, rejected },
  before: { delivered: 960, rejected: 40 },
})

/** The data of an overview without any problem. */
export const healthyOverview: OverviewData = {
  breaker: closedBreaker,
  notStored: undefined,
  freeBytes: undefined,
  failing: undefined,
  dueSince: undefined,
  pending: 0,
  held: [],
  inDoubt: { count: 0, restoredAt: undefined },
  unreadable: 0,
  dead: { count: 0, since: undefined },
  quarantined: { count: 0, since: undefined },
  answers: answered(95, 5),
  received: 110,
  least: 90,
  silence: undefined,
  clocks: [],
}
