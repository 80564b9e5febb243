import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { RecentAnswers } from '#domain/delivery/deliveries-view.ts'
import {
  type CountedAttempt,
  type DeliveryRollups,
  slotOf,
  sumOf,
} from '#server/delivery/delivery-rollups.ts'
import type { ComparedDay, DayCount, LeadFigures } from '#server/leads/lead-figures.ts'
import type { LeadStats } from '#server/leads/read-leads.ts'

export interface FailingRun {
  readonly attempts: number
  /** When the first of these attempts began, in epoch milliseconds. */
  readonly since: number
}

/** At most this many attempts are read: before that, ten different leads trip the breaker, which the overview shows anyway. */
const maxLookedAt = 100

const isAnswer = ({ outcome }: Pick<CountedAttempt, 'outcome'>): boolean =>
  outcome === 'delivered' || outcome === 'rejected'

/** Counts the failed attempts since the distributor last answered; undefined if it answered the latest attempt. */
export async function readFailingRun(
  rollups: Pick<DeliveryRollups, 'latest'>,
): Promise<FailingRun | undefined> {
  const made = (await rollups.latest(maxLookedAt)).filter(({ outcome }) => outcome !== 'not-made')
  const answered = made.findIndex(isAnswer)
  const failed = answered === -1 ? made : made.slice(0, answered)
  const first = failed.at(-1)
  return first && { attempts: failed.length, since: first.startedAt }
}

const day = 24 * 3_600_000

export async function readRecentAnswers(
  rollups: Pick<DeliveryRollups, 'list'>,
  now: number,
): Promise<RecentAnswers> {
  const slots = await rollups.list(slotOf(now - 8 * day))
  return {
    lastDay: sumOf(slots.filter(({ from }) => from >= now - day)),
    before: sumOf(slots.filter(({ from }) => from < now - day)),
  }
}

/** The counts of the overview. They may be some seconds old if counting takes long. */
export interface OverviewSources {
  readonly stats: () => Promise<LeadStats & { readonly countedAt: number }>
  /** @param zone the time zone in which days begin */
  readonly figures: (zone: string) => Promise<CountedFigures>
  /** Resolves with undefined while the responses are being counted. */
  readonly readAnswers: () => Promise<RecentAnswers | undefined>
  readonly readBreaker: () => Promise<BreakerState>
  readonly readFailing: () => Promise<FailingRun | undefined>
}

export interface CountedFigures extends Omit<LeadFigures, 'days'> {
  /** The counted days, today first. */
  readonly days: readonly (ComparedDay & DayCount)[]
  /** When the counting began, in epoch milliseconds. */
  readonly countedAt: number
}
