import type { Kysely } from 'kysely'
import { type Action, isAllowed } from '#domain/operator/rights.ts'
import type { Role } from '#domain/operator/role.ts'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The role of an enabled operator as it is in this transaction; undefined where the operator is disabled or unknown. */
export const findRole = async (
  store: Kysely<StoreTables>,
  operatorId: string,
): Promise<Role | undefined> => (await selectRole(store, operatorId).executeTakeFirst())?.role

/**
 * The same, and nobody can disable or demote the operator until this transaction has ended. Call it before the transaction
 * locks any job: disabling locks the operator first and the jobs second.
 */
export const holdRole = async (
  store: Kysely<StoreTables>,
  operatorId: string,
  locking: Locking,
): Promise<Role | undefined> =>
  (
    await selectRole(store, operatorId)
      .$if(locking === 'rows', (query) => query.forShare())
      .executeTakeFirst()
  )?.role

const selectRole = (store: Kysely<StoreTables>, operatorId: string) =>
  store
    .selectFrom('operators')
    .select('role')
    .where('id', '=', operatorId)
    .where('disabled_at', 'is', null)

/** Whether a role allows an action; an operator who was disabled has none. */
export const mayStill = (role: Role | undefined, action: Action): boolean =>
  role !== undefined && isAllowed(role, action)
