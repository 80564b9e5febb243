import type { Kysely, Transaction } from 'kysely'
import type {
  AttemptChartData,
  AttemptCounts,
  DeliveryBacklogCounts,
} from '#domain/delivery/deliveries-view.ts'
import type { AttemptOutcomeName } from '#domain/delivery/outcome.ts'
import { day } from '#domain/durations.ts'
import { findMedian } from '#domain/median.ts'
import { heldCondition, isHeldByCap } from '#server/leads/lead-status.ts'
import { findEarliestDueTime } from '#server/leads/overview-counts.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

const slotMs = 300_000

export const roundDownToFiveMinutes = (at: number): number => at - (at % slotMs)

export interface CountedAttempt {
  readonly outcome: AttemptOutcomeName
  readonly startedAt: number
  readonly durationMs: number
}

/**
 * Counts attempts by outcome and by the five-minute interval in which they ended. Call this function last in a
 * transaction, because PostgreSQL locks the interval's row until the commit, and other workers wait for the lock.
 */
export async function countAttempts(
  tx: Transaction<StoreTables>,
  attempts: readonly CountedAttempt[],
): Promise<void> {
  const sentAttempts = attempts.filter(({ outcome }) => outcome !== 'not-made')
  const slots = Map.groupBy(sentAttempts, ({ startedAt, durationMs }) =>
    roundDownToFiveMinutes(startedAt + durationMs),
  )
  // A fixed order prevents a deadlock between two processes.
  for (const [from, ended] of [...slots].toSorted(([one], [other]) => one - other)) {
    const delivered = ended.filter(({ outcome }) => outcome === 'delivered').length
    const rejected = ended.filter(({ outcome }) => outcome === 'rejected').length
    const failed = ended.length - delivered - rejected
    await tx
      .insertInto('delivery_rollups')
      .values({ from_at: from, delivered, rejected, failed, waits: '{}', calls: '{}' })
      .onConflict((conflict) =>
        conflict.column('from_at').doUpdateSet((eb) => ({
          delivered: eb('delivery_rollups.delivered', '+', delivered),
          rejected: eb('delivery_rollups.rejected', '+', rejected),
          failed: eb('delivery_rollups.failed', '+', failed),
        })),
      )
      .execute()
  }
}

export type DeliveryRollups = ReturnType<typeof makeDeliveryRollups>

export function makeDeliveryRollups(db: Kysely<StoreTables>) {
  return {
    /** Lists the counts of each five minutes from `since` on (epoch milliseconds), oldest first. */
    list: (since: number) =>
      db
        .selectFrom('delivery_rollups')
        .select(['from_at as from', 'delivered', 'rejected', 'failed'])
        .where('from_at', '>=', since)
        .orderBy('from_at')
        .execute(),
    /** Lists the latest attempts of all deliveries, newest first. */
    latest: (take: number) =>
      db
        .selectFrom('attempts')
        .select(['outcome', 'started_at as startedAt', 'duration_ms as durationMs'])
        .orderBy('id', 'desc')
        .limit(take)
        .execute(),
  }
}

const barMs = day / 48

/** How many of the latest calls to the distributor the Deliveries page measures. */
const latencyCalls = 1000

/** Reads the attempts of the last 24 hours, in bars of half an hour, and the durations of the latest calls. */
export async function readAttemptChart(
  rollups: Pick<DeliveryRollups, 'list' | 'latest'>,
  now: number,
): Promise<AttemptChartData> {
  const since = now - (now % barMs) + barMs - day
  const [slots, attempts] = await Promise.all([rollups.list(since), rollups.latest(latencyCalls)])
  const durations = attempts
    .filter(({ outcome }) => outcome !== 'not-made')
    .map(({ durationMs }) => durationMs)
    .toSorted((one, other) => one - other)
  const slotsOf = Map.groupBy(slots, ({ from }) => from - (from % barMs))
  const bars = Array.from({ length: day / barMs }, (_, index) => {
    const from = since + index * barMs
    return { from, ...sumAttemptCounts(slotsOf.get(from) ?? []) }
  })
  const { length: calls } = durations
  const p95Ms = durations[Math.ceil(calls * 0.95) - 1] ?? 0
  const latency = { calls, medianMs: findMedian(durations) ?? 0, p95Ms }
  return { barMs, bars, total: sumAttemptCounts(slots), latency }
}

export const sumAttemptCounts = (counts: readonly AttemptCounts[]): AttemptCounts => ({
  delivered: counts.reduce((sum, { delivered }) => sum + delivered, 0),
  rejected: counts.reduce((sum, { rejected }) => sum + rejected, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
})

export type DeliveryBacklog = ReturnType<typeof makeDeliveryBacklog>

/** The most rows that the Deliveries page counts, so that the page stays fast. */
const maxCounted = 50_000

export function makeDeliveryBacklog(db: Kysely<StoreTables>) {
  const count = async (dueAt?: number) => {
    const waiting = db
      .selectFrom('deliveries')
      .select('id')
      .where('settled_at', 'is', null)
      .$if(dueAt !== undefined, (query) => query.where('next_at', '<=', dueAt ?? 0))
      .limit(maxCounted + 1)
    const n = await countRows(db.selectFrom(waiting.as('waiting')))
    return { count: Math.min(n, maxCounted), isAll: n <= maxCounted }
  }
  const heldDeliveries = db
    .selectFrom('held_deliveries')
    .innerJoin('deliveries', 'deliveries.id', 'held_deliveries.delivery_id')
    .where(heldCondition)
  // The query reads `lead_index`, which is indexed by status and time of receipt; `deliveries` is not.
  const findOldest = () =>
    db
      .selectFrom('lead_index')
      .select(['lead_id as id', 'received_at as receivedAt'])
      .where('status', '=', 'owed')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('deliveries')
              .select('deliveries.id')
              .whereRef('deliveries.lead_id', '=', 'lead_index.lead_id')
              .where(isHeldByCap),
          ),
        ),
      )
      .orderBy('received_at')
      .orderBy('lead_id')
      .limit(1)
      .executeTakeFirst()
  return {
    read: async (now: number): Promise<DeliveryBacklogCounts> => {
      const [waiting, due, oldest, held] = await Promise.all([
        count(),
        count(now),
        findOldest(),
        countRows(heldDeliveries),
      ])
      return { waiting, due, held, oldest: waiting.count === 0 ? undefined : oldest }
    },
    firstDue: () => findEarliestDueTime(db),
  }
}
