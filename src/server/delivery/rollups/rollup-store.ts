import type { Kysely, Selectable } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type DeliveryRollup, type DeliveryRollups, keptMs } from './delivery-rollups.ts'

/** Attempts are found in time by their ids, which are UUIDv7: an index of their own would be written at each. */
export function makeDeliveryRollups(db: Kysely<StoreTables>): DeliveryRollups {
  const attemptsIn = ({ since, until }: { readonly since: number; readonly until: number }) =>
    db
      .selectFrom('attempts')
      .where('attempts.id', '>=', firstIdOf(since))
      .where('attempts.id', '<', firstIdOf(until))
      .orderBy('attempts.id')
  return {
    list: (since) =>
      retryConflicts(async () => {
        const rows = await db
          .selectFrom('delivery_rollups')
          .selectAll()
          .where('from_at', '>=', since)
          .orderBy('from_at')
          .execute()
        return rows.map(toRollup)
      }),
    answers: (since) =>
      retryConflicts(() =>
        db
          .selectFrom('delivery_rollups')
          .select(['from_at as from', 'delivered', 'rejected'])
          .where('from_at', '>=', since)
          .orderBy('from_at')
          .execute(),
      ),
    newest: () =>
      retryConflicts(async () => {
        const row = await db
          .selectFrom('delivery_rollups')
          .select('from_at')
          .orderBy('from_at', 'desc')
          .limit(1)
          .executeTakeFirst()
        return row?.from_at
      }),
    keep: (rollup, now) =>
      retryConflicts(async () => {
        await db
          .insertInto('delivery_rollups')
          .values(toRow(rollup))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        await db
          .deleteFrom('delivery_rollups')
          .where('from_at', '<', now - keptMs)
          .execute()
      }),
    latest: (take) =>
      retryConflicts(() =>
        db
          .selectFrom('attempts')
          .select(['outcome', 'started_at as startedAt'])
          .orderBy('id', 'desc')
          .limit(take)
          .execute(),
      ),
    attempts: ({ after, take, ...range }) =>
      retryConflicts(() => {
        const attempts = attemptsIn(range)
          .innerJoin('deliveries', 'deliveries.id', 'attempts.delivery_id')
          .select(['attempts.id', 'outcome', 'started_at as startedAt'])
          .select(['duration_ms as durationMs', 'created_at as owedAt'])
          .limit(take)
        return (
          after === undefined ? attempts : attempts.where('attempts.id', '>', after)
        ).execute()
      }),
    firstAttempt: (range) =>
      retryConflicts(async () => {
        const row = await attemptsIn(range).select('attempts.id').limit(1).executeTakeFirst()
        return row && timeOf(row.id)
      }),
  }
}

/** Of all UUIDv7 of a millisecond none comes before it. */
function firstIdOf(at: number): string {
  const digits = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const toRollup = (row: Selectable<StoreTables['delivery_rollups']>): DeliveryRollup => ({
  from: row.from_at,
  delivered: row.delivered,
  rejected: row.rejected,
  failed: row.failed,
  waits: JSON.parse(row.waits),
  calls: JSON.parse(row.calls),
  waiting: row.waiting,
  oldestAt: row.oldest_at,
})

const toRow = (rollup: DeliveryRollup) => ({
  from_at: rollup.from,
  delivered: rollup.delivered,
  rejected: rollup.rejected,
  failed: rollup.failed,
  waits: JSON.stringify(rollup.waits),
  calls: JSON.stringify(rollup.calls),
  waiting: rollup.waiting,
  oldest_at: rollup.oldestAt,
})
