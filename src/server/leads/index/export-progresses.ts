import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { ExportProgresses } from '../list/export-progress.ts'

const keptForMs = 60 * 60 * 1000

export const makeExportProgresses = (db: Kysely<StoreTables>): ExportProgresses => ({
  keep: async (id, operator_id, { done, state }, now) => {
    await retryConflicts(async () => {
      await db
        .deleteFrom('export_progress')
        .where('began_at', '<', now - keptForMs)
        .execute()
      await db
        .insertInto('export_progress')
        .values({ id, operator_id, began_at: now, done, state })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ done, state, began_at: now })
            .where('export_progress.operator_id', '=', operator_id),
        )
        .execute()
    })
  },
  find: (id, operatorId) =>
    retryConflicts(() =>
      db
        .selectFrom('export_progress')
        .select(['done', 'state'])
        .where('id', '=', id)
        .where('operator_id', '=', operatorId)
        .executeTakeFirst(),
    ),
})
