import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { mostPasskeys, type OperatorCredentials } from '../sign-in/operator-credentials.ts'
import { endWaysIn, lockOperator } from './end-ways-in.ts'
import { operatorColumns } from './operator-accounts.ts'

const passkeyColumns = [
  'id',
  'operator_id as operatorId',
  'secret as publicKey',
  'counter',
  'created_at as createdAt',
  'used_at as usedAt',
] as const

type CredentialKind = StoreTables['operator_credentials']['kind']

/**
 * Passwords, passkeys and identities of single sign-on share one primary key. A password's id is its operator's and an identity's
 * is a hash, both made here; an authenticator chooses a passkey's. So one of another kind under such an id was made up to stand in
 * somebody's way, and is removed.
 */
export async function makeRoomFor(
  store: Kysely<StoreTables>,
  kind: Exclude<CredentialKind, 'passkey'>,
  id: string,
): Promise<void> {
  await store
    .deleteFrom('operator_credentials')
    .where('id', '=', id)
    .where('kind', '!=', kind)
    .execute()
}

export function makeOperatorCredentials(db: Kysely<StoreTables>): OperatorCredentials {
  const passkeys = (store: Kysely<StoreTables> = db) =>
    store.selectFrom('operator_credentials').select(passkeyColumns).where('kind', '=', 'passkey')
  const inTransaction = <Result>(run: (store: Kysely<StoreTables>) => Promise<Result>) =>
    retryConflicts(() => db.transaction().execute(run))
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
    passwordOf: (email) =>
      retryConflicts(async () => {
        const row = await db
          .selectFrom('operators')
          .leftJoin('operator_credentials as passwords', (join) =>
            join.onRef('passwords.id', '=', 'operators.id').on('passwords.kind', '=', 'password'),
          )
          .select(operatorColumns)
          .select('passwords.secret as hash')
          .where('operators.email', '=', email)
          .executeTakeFirst()
        if (row === undefined) return undefined
        const { hash, ...operator } = row
        return { operator, hash: hash ?? undefined }
      }),
    setPassword: (operatorId, { hash, at, keptSessionId }) =>
      inTransaction(async (store) => {
        await lockOperator(store, operatorId)
        await makeRoomFor(store, 'password', operatorId)
        const changed = { secret: hash, created_at: at, used_at: null }
        const set = await store
          .insertInto('operator_credentials')
          .values({ id: operatorId, operator_id: operatorId, kind: 'password', ...changed })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet(changed)
              .where('operator_credentials.kind', '=', 'password'),
          )
          .returning('id')
          .executeTakeFirst()
        if (set === undefined) return false
        await endWaysIn(store, operatorId, keptSessionId)
        return true
      }),
    passkeys: (operatorId) =>
      retryConflicts(() =>
        passkeys().where('operator_id', '=', operatorId).orderBy('created_at').execute(),
      ),
    findPasskey: (id) => retryConflicts(() => passkeys().where('id', '=', id).executeTakeFirst()),
    addPasskey: ({ id, operatorId, publicKey, counter, createdAt }) =>
      inTransaction(async (store) => {
        await lockOperator(store, operatorId)
        const own = await passkeys(store).where('operator_id', '=', operatorId).execute()
        if (own.length >= mostPasskeys) return 'too many'
        const values = { id, operator_id: operatorId, kind: 'passkey' as const, secret: publicKey }
        const added = await store
          .insertInto('operator_credentials')
          .values({ ...values, counter, created_at: createdAt, used_at: null })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        return added === undefined ? 'known' : 'added'
      }),
    passkeyUsed: (id, counter, at) =>
      retryConflicts(async () => {
        await db
          .updateTable('operator_credentials')
          .set({ counter, used_at: at })
          .where('id', '=', id)
          .where('kind', '=', 'passkey')
          .execute()
      }),
    removePasskey: (id, operatorId, keptSessionId) =>
      inTransaction(async (store) => {
        await lockOperator(store, operatorId)
        const removed = await store
          .deleteFrom('operator_credentials')
          .where('id', '=', id)
          .where('operator_id', '=', operatorId)
          .where('kind', '=', 'passkey')
          .returning('id')
          .execute()
        if (removed.length === 0) return false
        await endWaysIn(store, operatorId, keptSessionId)
        return true
      }),
  }
}
