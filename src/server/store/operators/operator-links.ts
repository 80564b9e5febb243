import type { Kysely } from 'kysely'
import type { LinkPurpose, OperatorLinks } from '#server/use-cases/operators/operator-links.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'

export function makeOperatorLinks(db: Kysely<StoreTables>): OperatorLinks {
  return {
    make: ({ codeHash, operatorId, purpose, expiresAt }) =>
      retryConflicts(() =>
        db.transaction().execute(async (store) => {
          await withdraw(store, operatorId, purpose)
          await store
            .insertInto('operator_links')
            .values({
              code_hash: codeHash,
              operator_id: operatorId,
              purpose,
              expires_at: expiresAt,
            })
            .execute()
        }),
      ),
    find: (codeHash, purpose, now) =>
      retryConflicts(async () => {
        const row = await db
          .selectFrom('operator_links')
          .innerJoin('operators', 'operators.id', 'operator_links.operator_id')
          .select('operators.id')
          .where('code_hash', '=', codeHash)
          .where('purpose', '=', purpose)
          .where('expires_at', '>', now)
          .where('disabled_at', 'is', null)
          .executeTakeFirst()
        return row?.id
      }),
    use: (codeHash, purpose, now) =>
      retryConflicts(async () => {
        const row = await db
          .deleteFrom('operator_links')
          .where('code_hash', '=', codeHash)
          .where('purpose', '=', purpose)
          .where('expires_at', '>', now)
          .returning('operator_id')
          .executeTakeFirst()
        return row?.operator_id
      }),
    withdraw: (operatorId, purpose) =>
      retryConflicts(async () => {
        await withdraw(db, operatorId, purpose)
      }),
  }
}

const withdraw = (db: Kysely<StoreTables>, operatorId: string, purpose: LinkPurpose) =>
  db
    .deleteFrom('operator_links')
    .where('operator_id', '=', operatorId)
    .where('purpose', '=', purpose)
    .execute()
