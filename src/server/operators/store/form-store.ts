import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type FormStore, mostForms } from '../sessions/keep-forms.ts'

export const makeFormStore = (db: Kysely<StoreTables>): FormStore => ({
  keep: (idHash, { sealed, expiresAt, operatorId }) =>
    retryConflicts(async () => {
      await db
        .insertInto('kept_forms')
        .values({ id_hash: idHash, sealed, expires_at: expiresAt, operator_id: operatorId })
        .execute()
      const older = db
        .selectFrom('kept_forms')
        .select('id_hash')
        .where('operator_id', '=', operatorId)
        // Forms of the same millisecond have no order: the one that was just posted stays.
        .where('id_hash', '!=', idHash)
        .orderBy('expires_at', 'desc')
        .orderBy('id_hash')
        .limit(1000)
        .offset(mostForms - 1)
      await db.deleteFrom('kept_forms').where('id_hash', 'in', older).execute()
    }),
  find: (idHash, now) =>
    retryConflicts(async () => {
      const row = await db
        .selectFrom('kept_forms')
        .select('sealed')
        .where('id_hash', '=', idHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row?.sealed
    }),
  take: (idHash, now) =>
    retryConflicts(async () => {
      const row = await db
        .deleteFrom('kept_forms')
        .where('id_hash', '=', idHash)
        .where('expires_at', '>', now)
        .returning('sealed')
        .executeTakeFirst()
      return row?.sealed
    }),
})
