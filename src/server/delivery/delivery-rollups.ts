import type { Kysely, Selectable, Transaction } from 'kysely'
import { type Histogram, withLength } from '#domain/delivery/histogram.ts'
import type { OutcomeName } from '#domain/delivery/outcome.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

export const slotMs = 300_000

/** Eight days: the longest range shown, plus a day. */
const retentionMs = 8 * 24 * 3_600_000

export const slotOf = (at: number): number => at - (at % slotMs)

/** The counts and durations of the attempts that ended within one five-minute slot. Times are epoch milliseconds. */
export interface DeliveryRollup {
  readonly from: number
  readonly delivered: number
  readonly rejected: number
  /** Attempts with the outcome busy, broken, refused, unreachable or unknown. */
  readonly failed: number
  /** `waits`: from the opening of a delivery to its acceptance. `calls`: the duration of each call. Milliseconds. */
  readonly waits: Histogram
  readonly calls: Histogram
  /** The waiting deliveries at the slot's end, and when the oldest was received; null if no process was running. */
  readonly waiting: number | null
  readonly oldestAt: number | null
}

export interface CountedAttempt {
  readonly outcome: OutcomeName
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  /** When the delivery was opened, in epoch milliseconds. */
  readonly openedAt: number
}

type Row = Selectable<StoreTables['delivery_rollups']>

/**
 * Adds attempts to the rollups of the slots they ended in. A transaction should call this last: PostgreSQL locks the
 * slot's row until the commit, and other workers wait for the lock.
 */
export async function countAttempts(
  store: Transaction<StoreTables>,
  attempts: readonly CountedAttempt[],
): Promise<void> {
  const sentAttempts = attempts.filter(({ outcome }) => outcome !== 'not-made')
  const slots = Map.groupBy(sentAttempts, ({ startedAt, durationMs }) =>
    slotOf(startedAt + durationMs),
  )
  // A fixed order prevents a deadlock between two processes.
  for (const [from, ended] of [...slots].toSorted(([one], [other]) => one - other)) {
    const row = await store
      .insertInto('delivery_rollups')
      .values(emptySlot(from))
      .onConflict((conflict) => conflict.column('from_at').doUpdateSet({ from_at: from }))
      .returningAll()
      .executeTakeFirstOrThrow()
    const { delivered, rejected, failed, waits, calls } = ended.reduce(addAttempt, toRollup(row))
    await store
      .updateTable('delivery_rollups')
      .set({ delivered, rejected, failed })
      .set({ waits: JSON.stringify(waits), calls: JSON.stringify(calls) })
      .where('from_at', '=', from)
      .execute()
  }
}

const emptySlot = (from: number): Row => ({
  from_at: from,
  delivered: 0,
  rejected: 0,
  failed: 0,
  waits: '{}',
  calls: '{}',
  waiting: null,
  oldest_at: null,
})

function addAttempt(rollup: DeliveryRollup, attempt: CountedAttempt): DeliveryRollup {
  const { outcome, startedAt, durationMs, openedAt } = attempt
  const counted = { ...rollup, calls: withLength(rollup.calls, durationMs) }
  if (outcome === 'delivered') {
    const waits = withLength(rollup.waits, startedAt + durationMs - openedAt)
    return { ...counted, delivered: rollup.delivered + 1, waits }
  }
  return outcome === 'rejected'
    ? { ...counted, rejected: rollup.rejected + 1 }
    : { ...counted, failed: rollup.failed + 1 }
}

const toRollup = (row: Row): DeliveryRollup => ({
  from: row.from_at,
  delivered: row.delivered,
  rejected: row.rejected,
  failed: row.failed,
  waits: JSON.parse(row.waits),
  calls: JSON.parse(row.calls),
  waiting: row.waiting,
  oldestAt: row.oldest_at,
})

export type DeliveryRollups = ReturnType<typeof makeDeliveryRollups>

export function makeDeliveryRollups(db: Kysely<StoreTables>) {
  return {
    /** The rollups from `since` on, oldest first. Slots without attempts may be missing. */
    list: (since: number): Promise<readonly DeliveryRollup[]> =>
      retryConflicts(async () => {
        const rows = db.selectFrom('delivery_rollups').selectAll().where('from_at', '>=', since)
        return (await rows.orderBy('from_at').execute()).map(toRollup)
      }),
    /** Reads only the counts of delivered and rejected attempts, which is faster than `list`. */
    answers: (since: number) =>
      retryConflicts(() =>
        db
          .selectFrom('delivery_rollups')
          .select(['from_at as from', 'delivered', 'rejected'])
          .where('from_at', '>=', since)
          .execute(),
      ),
    /** Writes the number of waiting deliveries into the current slot, and deletes rollups older than the retention. */
    sampleBacklog: (waiting: number, oldestAt: number | null, now: number) =>
      retryConflicts(async () => {
        const sample = { waiting, oldest_at: oldestAt }
        await db
          .insertInto('delivery_rollups')
          .values({ ...emptySlot(slotOf(now)), ...sample })
          .onConflict((conflict) => conflict.column('from_at').doUpdateSet(sample))
          .execute()
        await db
          .deleteFrom('delivery_rollups')
          .where('from_at', '<', now - retentionMs)
          .execute()
      }),
    /** The newest attempts of all deliveries, newest first. */
    latest: (take: number) =>
      retryConflicts(() =>
        db
          .selectFrom('attempts')
          .select(['outcome', 'started_at as startedAt'])
          .orderBy('id', 'desc')
          .limit(take)
          .execute(),
      ),
  }
}
