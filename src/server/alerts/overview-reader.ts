import { statfs } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { RecentAnswerCounts } from '#domain/delivery/deliveries-view.ts'
import { day, minute } from '#domain/durations.ts'
import { type CapHold, describeHoldEnd, type ZonedTime } from '#server/delivery/cap-check.ts'
import {
  type DeliveryRollups,
  roundDownToFiveMinutes,
  sumAttemptCounts,
} from '#server/delivery/delivery-counts.ts'
import { countForOverview, listComparedDays } from '#server/leads/overview-counts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { explainStorageFailure } from '#server/platform/faults/sanitize-error.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import type { Store, StoreSettings } from '#server/store/open-store.ts'

/** The maximum number of attempts to read: the breaker trips after ten failed leads, so streaks are shorter. */
const maxReadAttempts = 100

/**
 * Counts failed attempts since the distributor's last answer; undefined if the latest attempt was answered. `since` is
 * when the first of them began, in epoch milliseconds.
 */
export async function readFailureStreak(rollups: Pick<DeliveryRollups, 'latest'>) {
  const latest = await rollups.latest(maxReadAttempts)
  const made = latest.filter(({ outcome }) => outcome !== 'not-made')
  const answered = made.findIndex(
    ({ outcome }) => outcome === 'delivered' || outcome === 'rejected',
  )
  const failed = answered === -1 ? made : made.slice(0, answered)
  const first = failed.at(-1)
  return first && { attempts: failed.length, since: first.startedAt }
}

export async function countRecentAnswers(
  rollups: Pick<DeliveryRollups, 'list'>,
  now: number,
): Promise<RecentAnswerCounts> {
  const slots = await rollups.list(roundDownToFiveMinutes(now - 8 * day))
  return {
    lastDay: sumAttemptCounts(slots.filter(({ from }) => from >= now - day)),
    before: sumAttemptCounts(slots.filter(({ from }) => from < now - day)),
  }
}

/** The cache keeps counts twenty times as long as counting took. Counting a million leads takes 0.3 s. */
const countsCacheFactor = 20

interface OverviewSources {
  readonly store: Pick<Store, 'forConsole'>
  readonly settings: {
    readonly store: StoreSettings
    readonly delivery: { readonly zone: string }
  }
  /** Rejects if the store cannot store enquiries. */
  readonly checkStore: () => Promise<void>
  readonly clock: () => number
}

export type OverviewReader = ReturnType<typeof makeOverviewReader>
export type Overview = Awaited<ReturnType<OverviewReader>>
export type OverviewData = Overview['data']

/**
 * Makes the function that reads the overview's data. The console and the alert loop share the function's cache.
 */
export function makeOverviewReader({ store, settings, checkStore, clock }: OverviewSources) {
  const { breaker, rollups, database, leadReader } = store.forConsole
  const { zone } = settings.delivery
  const readCounts = makeTimedCache(async () => {
    const now = clock()
    const [stats, figures, answers] = await Promise.all([
      leadReader.stats(now),
      countForOverview(database.db, listComparedDays(now, zone)),
      countRecentAnswers(rollups, now),
    ])
    return { stats, figures, answers }
  }, makeProportionalLifetime(countsCacheFactor))
  const { dataDir, databaseUrl } = settings.store
  return async () => {
    const [counts, state, notStored, failing, silence, clocks, freeBytes] = await Promise.all([
      readCounts(),
      breaker.read(),
      checkStore().then(() => undefined, explainStorageFailure),
      readFailureStreak(rollups),
      findUnusualSilence(database.db, clock()),
      findWrongClocks(database.db, clock()),
      databaseUrl === undefined ? readFreeBytes(dataDir) : undefined,
    ])
    const { stats, figures, answers } = counts
    const { byStatus, unreadable, leads } = stats
    const { first, inDoubt, held } = figures
    const [today, ...before] = figures.days
    // The day on which the store began is no whole day.
    const compared = before.filter(({ since }) => first.lead !== undefined && since >= first.lead)
    const isNew = first.lead === undefined || first.lead > clock() - 8 * day
    const data = {
      breaker: state,
      /** Why visitors can't submit enquiries, such as `disk full`; undefined if they can. */
      notStored,
      /** The free bytes on the disk of the store's file; undefined on PostgreSQL, whose disk the product can't see. */
      freeBytes,
      // A lead that a cap holds waits for the cap, whatever the distributor answers.
      failing: byStatus.pending - stats.held + byStatus.leased > 0 ? failing : undefined,
      /** When the earliest open delivery is or was due, in epoch milliseconds; undefined if no delivery is open. */
      dueSince: figures.firstDue,
      /** The number of open deliveries that no worker has leased: they are due, or wait for their next attempt. */
      pending: byStatus.pending,
      /** The number of these deliveries that caps hold, by the end of the hold in words, such as `until tomorrow`. */
      held: describeHolds(held, { now: clock(), zone }),
      inDoubt,
      unreadable,
      /** The number of these leads, and when the oldest was received, in epoch milliseconds. */
      dead: { count: byStatus.dead, since: first.dead },
      quarantined: { count: byStatus.quarantined, since: first.quarantined },
      answers: isNew ? { ...answers, before: undefined, firstAt: first.lead } : answers,
      /** The number of leads received today. */
      received: today?.soFar ?? 0,
      /** Each of the last seven days had at least this many leads by this time; undefined if the store has fewer days. */
      least: compared.length < 7 ? undefined : Math.min(...compared.map(({ soFar }) => soFar)),
      clocks,
      silence,
    }
    return { data, leads, figures, compared }
  }
}

/** Counts held leads by the end of their hold, in words; different caps may hold leads until the same day. */
function describeHolds(
  holds: readonly (CapHold & { readonly count: number })[],
  moment: ZonedTime,
) {
  const groups = Map.groupBy(holds, (hold) => describeHoldEnd(hold, moment))
  return [...groups].map(([until, group]) => ({
    until,
    count: group.reduce((sum, { count }) => sum + count, 0),
  }))
}

/** A process with a wrong clock says so every five seconds; a killed one no longer counts. */
const recentMs = minute

/** Lists the processes with a wrong clock; `aheadMs` is negative if the clock is behind. */
const findWrongClocks = (db: Kysely<StoreTables>, now: number) =>
  db
    .selectFrom('clock_differences')
    .select(['server', 'ahead_ms as aheadMs'])
    .where('seen_at', '>', now - recentMs)
    .orderBy('server')
    .execute()

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const week = 7 * day
const minSilence = 10 * minute
const minUsualLeads = 5

/**
 * Finds an unusual silence: no lead has arrived for ten minutes or longer, although at least five leads arrived in the
 * same span of each of the last four weeks (`least` in the quietest week). If five leads are usual in a span, chance leaves less than one span in a
 * hundred empty.
 */
export async function findUnusualSilence(db: Kysely<StoreTables>, now: number) {
  const leads = db.selectFrom('lead_index')
  const { last } = await leads
    .select(({ fn }) => fn.max('received_at').as('last'))
    .executeTakeFirstOrThrow()
  if (last === null || now - last < minSilence) return undefined
  const since = Math.max(last, now - day)
  const counts = await Promise.all(
    [1, 2, 3, 4].map(async (weeks) => {
      const { n } = await leads
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('received_at', '>', since - weeks * week)
        .where('received_at', '<=', now - weeks * week)
        .executeTakeFirstOrThrow()
      return Number(n)
    }),
  )
  const least = Math.min(...counts)
  return least >= minUsualLeads ? { since: last, least } : undefined
}
