import { randomUUIDv7 } from 'node:crypto'
import type { Expression, ExpressionBuilder, Kysely, SqlBool, Transaction } from 'kysely'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/**
 * How many attempts may be made up for to a delivery: leads that fail by themselves may look like a distributor's fault
 * again and again. After that they spend their schedule, and still get all of it.
 */
export const mostUncounted = 8

export interface LeaseClaim {
  readonly now: number
  readonly leaseUntil: number
  readonly limit: number
  readonly lease: string
  readonly locking: Locking
}

/** Which of the unsettled deliveries a claim may take: all that are due, or one that a probe has chosen. */
type Claimable = (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => Expression<SqlBool>

/**
 * Takes due deliveries, oldest due first. `next_at` moves to the lease's end: a worker that dies leaves nothing to
 * clean up, its deliveries are due again by themselves. What such a worker may have sent is written down as an attempt
 * in the same transaction.
 */
export const claimDeliveries = (store: Transaction<StoreTables>, claim: LeaseClaim) =>
  claimThose(store, claim, (eb) => eb('next_at', '<=', claim.now))

/** Takes this one, due or not, unless a worker has it. */
export async function claimDelivery(
  store: Transaction<StoreTables>,
  id: string,
  claim: Omit<LeaseClaim, 'limit'>,
) {
  const isFree: Claimable = (eb) =>
    eb.and([eb('id', '=', id), eb.or([eb('lease', 'is', null), eb('next_at', '<=', claim.now)])])
  const [row] = await claimThose(store, { ...claim, limit: 1 }, isFree)
  return row
}

async function claimThose(
  store: Transaction<StoreTables>,
  claim: LeaseClaim,
  isClaimable: Claimable,
) {
  const rows = await updateThose(store, claim, isClaimable)
  const abandoned = rows.filter(({ lost_lease }) => lost_lease !== null)
  if (abandoned.length > 0) await insertUnknown(store, abandoned, claim)
  return rows.toSorted((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
}

/**
 * The rows are chosen in a materialised CTE because `id in (select … limit n)` may be planned as a join that takes more
 * than n on PostgreSQL. The update looks at them once more, so the claim is right without `skip locked` too, which is
 * slow on CockroachDB (https://github.com/cockroachdb/cockroach/issues/97135) and YugabyteDB. 0.2 ms on SQLite and
 * 0.6 ms on PostgreSQL with a million waiting.
 */
function updateThose(store: Kysely<StoreTables>, claim: LeaseClaim, isClaimable: Claimable) {
  return store
    .with(
      (cte) => cte('due').materialized(),
      (query) =>
        query
          .selectFrom('deliveries')
          .select(['id', 'next_at', 'lease'])
          .where('settled_at', 'is', null)
          .where(isClaimable)
          .orderBy('next_at')
          .orderBy('id')
          .limit(claim.limit)
          .$if(claim.locking === 'rows', (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('deliveries')
    .set((eb) => {
      const isAbandoned = eb('lease', 'is not', null)
      const oneMoreWhere = (condition: typeof isAbandoned) =>
        eb.case().when(condition).then(1).else(0).end()
      return {
        lease: claim.lease,
        leased_until: claim.leaseUntil,
        next_at: claim.leaseUntil,
        attempts: eb('attempts', '+', oneMoreWhere(isAbandoned)),
        unknown_attempts: eb('unknown_attempts', '+', oneMoreWhere(isAbandoned)),
        possible_duplicates: eb(
          'possible_duplicates',
          '+',
          oneMoreWhere(eb.and([isAbandoned, eb('unknown_attempts', '>', 0)])),
        ),
        spared: eb(
          'spared',
          '+',
          oneMoreWhere(eb.and([isAbandoned, eb('spared', '<', mostUncounted)])),
        ),
      }
    })
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
    .where('settled_at', 'is', null)
    .where(isClaimable)
    .returning((eb) => {
      const due = eb.selectFrom('due').whereRef('due.id', '=', 'deliveries.id')
      return [
        'deliveries.id',
        'deliveries.lead_id',
        'deliveries.attempts',
        'deliveries.spared',
        due.select('due.next_at').$asScalar().$notNull().as('due_at'),
        due.select('due.lease').$asScalar().as('lost_lease'),
      ]
    })
    .execute()
}

/** A process of the same settings had it from one lease's length before the lease's end. */
async function insertUnknown(
  store: Kysely<StoreTables>,
  abandoned: readonly { readonly id: string; readonly due_at: number }[],
  { now, leaseUntil }: LeaseClaim,
): Promise<void> {
  await store
    .insertInto('attempts')
    .values(
      abandoned.map(({ id, due_at: leaseEnd }) => {
        const startedAt = leaseEnd - (leaseUntil - now)
        return {
          id: randomUUIDv7(),
          delivery_id: id,
          started_at: startedAt,
          duration_ms: leaseEnd - startedAt,
          outcome: 'unknown' as const,
          http_status: null,
          reason: 'process-ended' as const,
          detail: null,
        }
      }),
    )
    .execute()
}
