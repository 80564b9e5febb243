import type { Kysely } from 'kysely'
import type { OperatorCredentials } from '#server/use-cases/operators/sign-in/operator-credentials.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'

const passkeyColumns = [
  'id',
  'operator_id as operatorId',
  'secret as publicKey',
  'counter',
  'created_at as createdAt',
  'used_at as usedAt',
] as const

export function makeOperatorCredentials(db: Kysely<StoreTables>): OperatorCredentials {
  const passkeys = () =>
    db.selectFrom('operator_credentials').select(passkeyColumns).where('kind', '=', 'passkey')
  return {
    password: (operatorId) =>
      retryConflicts(async () => {
        const row = await db
          .selectFrom('operator_credentials')
          .select('secret')
          .where('id', '=', operatorId)
          .where('kind', '=', 'password')
          .executeTakeFirst()
        return row?.secret
      }),
    setPassword: (operatorId, hash, at) =>
      retryConflicts(async () => {
        const changed = { secret: hash, created_at: at, used_at: null }
        await db
          .insertInto('operator_credentials')
          .values({ id: operatorId, operator_id: operatorId, kind: 'password', ...changed })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
          .execute()
      }),
    passkeys: (operatorId) =>
      retryConflicts(() =>
        passkeys().where('operator_id', '=', operatorId).orderBy('created_at').execute(),
      ),
    findPasskey: (id) => retryConflicts(() => passkeys().where('id', '=', id).executeTakeFirst()),
    addPasskey: ({ id, operatorId, publicKey, counter, createdAt }) =>
      retryConflicts(async () => {
        const values = { id, operator_id: operatorId, kind: 'passkey' as const, secret: publicKey }
        const added = await db
          .insertInto('operator_credentials')
          .values({ ...values, counter, created_at: createdAt, used_at: null })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        return added !== undefined
      }),
    passkeyUsed: (id, counter, at) =>
      retryConflicts(async () => {
        await db
          .updateTable('operator_credentials')
          .set({ counter, used_at: at })
          .where('id', '=', id)
          .execute()
      }),
    removePasskey: (id, operatorId) =>
      retryConflicts(async () => {
        const removed = await db
          .deleteFrom('operator_credentials')
          .where('id', '=', id)
          .where('operator_id', '=', operatorId)
          .where('kind', '=', 'passkey')
          .returning('id')
          .execute()
        return removed.length > 0
      }),
  }
}
