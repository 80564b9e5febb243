import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Hold } from '#domain/delivery/hold.ts'
import { plainLine } from '#domain/text/plain-line.ts'
import { type AuditLog, audited } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Store = Kysely<StoreTables>

export type DeliveryHolds = ReturnType<typeof makeDeliveryHolds>

export function makeDeliveryHolds(db: Store) {
  const selectHolds = (take: number) =>
    db
      .selectFrom('delivery_holds')
      .leftJoin('operators as beginner', 'beginner.id', 'begun_by_operator')
      .leftJoin('operators as ender', 'ender.id', 'ended_by_operator')
      .select(['kind', 'reason', 'began_at', 'noticed_at', 'ended_at', 'is_open', 'end_reason'])
      .select(['beginner.email as beginner', 'ender.email as ender'])
      .select(['begun_by_user', 'ended_by_user'])
      .orderBy('began_at', 'desc')
      .orderBy('delivery_holds.id', 'desc')
      .limit(take)
  const read = async (query: ReturnType<typeof selectHolds>): Promise<readonly Hold[]> => {
    const rows = await retryConflicts(() => query.execute())
    return rows.map((row) => ({
      kind: row.kind === 'refusal' ? 'refused' : row.kind,
      reason: row.reason,
      since: row.began_at,
      heldFrom: row.noticed_at,
      until: row.ended_at,
      isOpen: row.is_open === 1,
      begunBy: row.beginner ?? row.begun_by_user,
      endedBy: row.ender ?? row.ended_by_user,
      endReason: row.end_reason,
    }))
  }
  return {
    /** Newest first. */
    list: (take: number) => read(selectHolds(take)),
    /** The holds that overlap the period from `since` to `until` (epoch milliseconds), oldest first. */
    during: async (since: number, until: number, take: number) => {
      const holds = selectHolds(take)
        .where('began_at', '<', until)
        .where((eb) => eb.or([eb('ended_at', '>', since), eb('is_open', '=', 1)]))
      return (await read(holds)).toReversed()
    },
  }
}

/** Removes operators' email addresses, for readers who may not see the audit log. */
export const withoutOperators = (holds: readonly Hold[]): readonly Hold[] =>
  holds.map((hold) => ({ ...hold, begunBy: null, endedBy: null }))

/** The number of holds kept; a stream of refused leads may open the breaker every few seconds. */
const maxKept = 10_000

export interface PauseOrder {
  /** The operator's reason, without personal data; may be empty. */
  readonly reason: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Undefined if the breaker acted by itself. */
  readonly by?: Actor | undefined
}

/** Records that deliveries are held back from `at` on, in the transaction that opens the breaker. */
export async function recordHold(
  store: Store,
  { kind, reason, since, at, by }: PauseOrder & Pick<Hold, 'kind' | 'since'>,
) {
  await store
    .insertInto('delivery_holds')
    .values({
      id: randomUUIDv7(),
      kind: kind === 'refused' ? 'refusal' : kind,
      reason,
      began_at: since,
      noticed_at: at,
      is_open: 1,
      begun_by_operator: operatorIdOf(by),
      begun_by_user: systemUserOf(by),
    })
    .execute()
  await store
    .deleteFrom('delivery_holds')
    .where('began_at', '<=', (eb) =>
      eb
        .selectFrom('delivery_holds as kept')
        .select('kept.began_at')
        .orderBy('kept.began_at', 'desc')
        .limit(1)
        .offset(maxKept),
    )
    .execute()
}

/** Records the end of a hold, in the transaction that ends it. */
export async function recordHoldEnd(store: Store, { at, by, reason }: PauseOrder) {
  await store
    .updateTable('delivery_holds')
    .set({
      is_open: 0,
      ended_at: at,
      ended_by_operator: operatorIdOf(by),
      ended_by_user: systemUserOf(by),
      end_reason: reason === '' ? null : reason,
    })
    .where('is_open', '=', 1)
    .execute()
}

const operatorIdOf = (by: Actor | undefined) => (by?.kind === 'console' ? by.id : null)

const systemUserOf = (by: Actor | undefined) => (by?.kind === 'command line' ? by.user : null)

interface HoldDeliveriesParts {
  readonly breaker: Readonly<Record<'pause' | 'resume', (order: PauseOrder) => Promise<boolean>>>
  readonly audit: AuditLog
  readonly clock: () => number
}

/** The most characters of a reason, which a notice on the console shows. */
export const maxReasonLength = 200

/** Pauses and resumes all deliveries, for the console and the command line. */
export function makeHoldDeliveries({ breaker, audit, clock }: HoldDeliveriesParts) {
  const change =
    (
      name: 'pause' | 'resume',
      action: 'paused deliveries' | 'resumed deliveries',
      describe: (isChanged: boolean) => string,
    ) =>
    /** @param given the operator's reason, without personal data */
    async (actor: Actor, given: string): Promise<boolean> => {
      const at = clock()
      authorise(actor, 'pause deliveries', at)
      const reason = plainLine(given)
      const act = { actor, at, action, reason }
      return audited(audit, act, () => breaker[name]({ reason, at, by: actor }), describe)
    }
  return {
    /** @returns false if deliveries were paused already; the new reason and time replace the old ones */
    pause: change('pause', 'paused deliveries', (began) =>
      began ? 'paused' : 'paused already; the reason was replaced',
    ),
    /** @returns false if deliveries were not held back */
    resume: change('resume', 'resumed deliveries', (ended) =>
      ended ? 'resumed' : 'were not paused',
    ),
  }
}

export type HoldDeliveries = ReturnType<typeof makeHoldDeliveries>
