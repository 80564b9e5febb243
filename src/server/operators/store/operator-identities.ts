import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { hashOf } from '../secrets.ts'
import type { OperatorIdentities, ProvidersId } from '../single-sign-on/operator-identities.ts'
import { endWaysIn, lockOperator } from './end-ways-in.ts'
import { makeRoomFor } from './operator-credentials.ts'

const kind = 'single sign-on'

/** Among the ways to sign in: an identity's id is a hash of issuer and subject, its secret the issuer, which is none. */
export function makeOperatorIdentities(db: Kysely<StoreTables>): OperatorIdentities {
  const inTransaction = <Result>(run: (store: Kysely<StoreTables>) => Promise<Result>) =>
    retryConflicts(() => db.transaction().execute(run))
  return {
    find: (identity) =>
      retryConflicts(async () => {
        const row = await db
          .selectFrom('operator_credentials')
          .select('operator_id')
          .where('id', '=', identityId(identity))
          .where('kind', '=', kind)
          .executeTakeFirst()
        return row?.operator_id
      }),
    isKnownAt: (issuer, operatorId) =>
      retryConflicts(async () => {
        const row = await db
          .selectFrom('operator_credentials')
          .select('id')
          .where('operator_id', '=', operatorId)
          .where('kind', '=', kind)
          .where('secret', '=', issuer)
          .executeTakeFirst()
        return row !== undefined
      }),
    link: (operatorId, identity, at) =>
      inTransaction(async (store) => {
        const values = { id: identityId(identity), operator_id: operatorId, kind } as const
        await makeRoomFor(store, kind, values.id)
        const added = await store
          .insertInto('operator_credentials')
          .values({ ...values, secret: identity.issuer, created_at: at, used_at: at })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        return added !== undefined
      }),
    used: (identity, at) =>
      retryConflicts(async () => {
        await db
          .updateTable('operator_credentials')
          .set({ used_at: at })
          .where('id', '=', identityId(identity))
          .where('kind', '=', kind)
          .execute()
      }),
    unlink: (operatorId) =>
      inTransaction(async (store) => {
        await lockOperator(store, operatorId)
        const removed = await store
          .deleteFrom('operator_credentials')
          .where('operator_id', '=', operatorId)
          .where('kind', '=', kind)
          .returning('id')
          .execute()
        if (removed.length > 0) await endWaysIn(store, operatorId, undefined)
        return removed.length
      }),
  }
}

export const identityId = ({ issuer, subject }: ProvidersId): string =>
  hashOf(`single sign-on ${JSON.stringify([issuer, subject])}`)
