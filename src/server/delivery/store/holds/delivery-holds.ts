import type { Kysely } from 'kysely'
import type { Hold } from '#domain/delivery/hold.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { DeliveryHolds } from '../../delivery-holds.ts'

export function makeDeliveryHolds(db: Kysely<StoreTables>): DeliveryHolds {
  return {
    list: (take) =>
      retryConflicts(async () => {
        const rows = await selectHolds(db)
          .orderBy('began_at', 'desc')
          .orderBy('delivery_holds.id', 'desc')
          .limit(take)
          .execute()
        return rows.map(toHold)
      }),
    during: (since, until, take) =>
      retryConflicts(async () => {
        const rows = await selectHolds(db)
          .where('began_at', '<', until)
          .where((eb) => eb.or([eb('ended_at', '>', since), eb('is_open', '=', 1)]))
          .orderBy('began_at', 'desc')
          .orderBy('delivery_holds.id', 'desc')
          .limit(take)
          .execute()
        return rows.map(toHold).toReversed()
      }),
  }
}

const selectHolds = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('delivery_holds')
    .leftJoin('operators as beginner', 'beginner.id', 'begun_by_operator')
    .leftJoin('operators as ender', 'ender.id', 'ended_by_operator')
    .select(['kind', 'reason', 'began_at', 'noticed_at', 'ended_at', 'is_open', 'end_reason'])
    .select(['beginner.email as beginner', 'ender.email as ender'])
    .select(['begun_by_user', 'ended_by_user'])

type Row = Awaited<ReturnType<ReturnType<typeof selectHolds>['executeTakeFirstOrThrow']>>

const toHold = (row: Row): Hold => ({
  kind: row.kind === 'refusal' ? 'refused' : row.kind,
  reason: row.reason,
  since: row.began_at,
  heldFrom: row.noticed_at,
  until: row.ended_at,
  isOpen: row.is_open === 1,
  begunBy: row.beginner ?? row.begun_by_user,
  endedBy: row.ender ?? row.ended_by_user,
  endReason: row.end_reason,
})
