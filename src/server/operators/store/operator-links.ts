import type { Kysely } from 'kysely'
import type { Locking } from '#server/platform/database/locking.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { NotAllowedError } from '../authorise.ts'
import type { LinkPurpose, OperatorLinks } from '../operator-links.ts'
import { holdRole, mayStill } from './may-still.ts'

export function makeOperatorLinks(db: Kysely<StoreTables>, locking: Locking): OperatorLinks {
  return {
    make: ({ codeHash, operatorId, purpose, expiresAt, by }) =>
      retryConflicts(() =>
        db.transaction().execute(async (store) => {
          if (by?.kind === 'console') {
            const role = await holdRole(store, by.id, locking)
            if (!mayStill(role, 'change operators')) throw new NotAllowedError('change operators')
          }
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
