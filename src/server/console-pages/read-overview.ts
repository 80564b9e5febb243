import { LRUCache } from 'lru-cache'
import type { RecentAnswerCounts } from '#domain/delivery/deliveries-view.ts'
import {
  type CountedAttempt,
  type DeliveryRollups,
  findSlotStart,
  sumCounts,
} from '#server/delivery/delivery-rollups.ts'
import { listComparedDays } from '#server/leads/lead-counts.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import type { Store } from '#server/store/open-store.ts'

export interface FailureStreak {
  readonly attempts: number
  /** When the first of these attempts began, in epoch milliseconds. */
  readonly since: number
}

/** The most attempts to read: after ten failed leads the breaker trips, and the overview shows the outage instead. */
const maxLookedAt = 100

const isDistributorAnswer = ({ outcome }: Pick<CountedAttempt, 'outcome'>): boolean =>
  outcome === 'delivered' || outcome === 'rejected'

/** Counts the failed attempts since the distributor last answered; undefined if it answered the latest attempt. */
export async function readFailureStreak(
  rollups: Pick<DeliveryRollups, 'latest'>,
): Promise<FailureStreak | undefined> {
  const made = (await rollups.latest(maxLookedAt)).filter(({ outcome }) => outcome !== 'not-made')
  const answered = made.findIndex(isDistributorAnswer)
  const failed = answered === -1 ? made : made.slice(0, answered)
  const first = failed.at(-1)
  return first && { attempts: failed.length, since: first.startedAt }
}

const day = 24 * 3_600_000

export async function countRecentAnswers(
  rollups: Pick<DeliveryRollups, 'list'>,
  now: number,
): Promise<RecentAnswerCounts> {
  const slots = await rollups.list(findSlotStart(now - 8 * day))
  return {
    lastDay: sumCounts(slots.filter(({ from }) => from >= now - day)),
    before: sumCounts(slots.filter(({ from }) => from < now - day)),
  }
}

/** Counts leads and answers for the overview. @param zone the time zone in which days begin */
async function readOverviewCounts(
  { archive, index, rollups }: Store['forConsole'],
  zone: string,
  now: number,
) {
  const [stats, figures, answers] = await Promise.all([
    archive.stats(now),
    index.readFigures(listComparedDays(now, zone)),
    countRecentAnswers(rollups, now),
  ])
  return { stats, figures, answers }
}

/** Caches counts for this many times the duration of counting, 0.3 s for a million leads. */
const countsCacheFactor = 20

/** The most cached time zones: more than one console's operators work in. */
const maxZones = 20

/** Makes a function that counts leads and answers for the overview and caches the counts of each time zone. */
export function makeOverviewCountsCache(store: Store['forConsole'], clock: () => number) {
  const zones = new LRUCache<string, () => ReturnType<typeof readOverviewCounts>>({ max: maxZones })
  return (zone: string) => {
    const read =
      zones.get(zone) ??
      makeTimedCache(
        () => readOverviewCounts(store, zone, clock()),
        makeProportionalLifetime(countsCacheFactor),
      )
    zones.set(zone, read)
    return read()
  }
}
