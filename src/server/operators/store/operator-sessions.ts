import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  mostSessions,
  type OperatorSessions,
  type SessionAge,
  type SignedInBy,
} from '../sessions/operator-sessions.ts'
import { endWaysIn, lockOperator } from './end-ways-in.ts'
import { operatorColumns } from './operator-accounts.ts'
import { identityId } from './operator-identities.ts'

const sessionColumns = [
  'operator_sessions.id as sessionId',
  'began_at as beganAt',
  'seen_at as seenAt',
  'strong_at as lastAuthenticatedAt',
  'network',
  'browser',
] as const

export function makeOperatorSessions(db: Kysely<StoreTables>): OperatorSessions {
  const mark = (id: string, columns: { seen_at: number; strong_at?: number }) =>
    retryConflicts(async () => {
      await db.updateTable('operator_sessions').set(columns).where('id', '=', id).execute()
    })
  const openOnes = ({ beganSince, seenSince }: SessionAge) =>
    db
      .selectFrom('operator_sessions')
      .select(sessionColumns)
      .where('began_at', '>', beganSince)
      .where('seen_at', '>', seenSince)
  return {
    open: (tokenHash, operatorId, session, signedInBy) =>
      retryConflicts(() =>
        db.transaction().execute(async (store) => {
          const maySignIn = await lockOperator(store, operatorId)
          if (!maySignIn || !(await isStillGood(store, operatorId, signedInBy))) return false
          const { id, beganAt, seenAt, lastAuthenticatedAt, network, browser } = session
          const values = { token_hash: tokenHash, id, operator_id: operatorId, network, browser }
          const times = { began_at: beganAt, seen_at: seenAt, strong_at: lastAuthenticatedAt }
          await store
            .insertInto('operator_sessions')
            .values({ ...values, ...times })
            .execute()
          await endOldest(store, operatorId, id)
          return true
        }),
      ),
    find: (tokenHash, age) =>
      retryConflicts(async () => {
        const row = await openOnes(age)
          .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
          .select(operatorColumns)
          .where('token_hash', '=', tokenHash)
          .where('disabled_at', 'is', null)
          .executeTakeFirst()
        if (row === undefined) return undefined
        const { id, email, role, createdAt, disabledAt, sessionId, ...session } = row
        return {
          ...session,
          id: sessionId,
          operator: { id, email, role, createdAt, disabledAt },
        }
      }),
    seen: (id, at) => mark(id, { seen_at: at }),
    strong: (id, at) => mark(id, { seen_at: at, strong_at: at }),
    list: (operatorId, age) =>
      retryConflicts(async () => {
        const rows = await openOnes(age)
          .where('operator_id', '=', operatorId)
          .orderBy('seen_at', 'desc')
          .execute()
        return rows.map(({ sessionId, ...session }) => ({ ...session, id: sessionId }))
      }),
    end: (id, operatorId) =>
      retryConflicts(async () => {
        const ended = await db
          .deleteFrom('operator_sessions')
          .where('id', '=', id)
          .where('operator_id', '=', operatorId)
          .returning('id')
          .execute()
        return ended.length > 0
      }),
    endWaysIn: (operatorId, keptId) =>
      retryConflicts(() =>
        db.transaction().execute((store) => endWaysIn(store, operatorId, keptId)),
      ),
    forgetClosed: ({ beganSince, seenSince }) =>
      retryConflicts(async () => {
        await db
          .deleteFrom('operator_sessions')
          .where((eb) => eb.or([eb('began_at', '<=', beganSince), eb('seen_at', '<=', seenSince)]))
          .execute()
      }),
  }
}

/** Whether what was shown is still what the operator signs in with: it may have been changed or removed meanwhile. */
async function isStillGood(
  store: Kysely<StoreTables>,
  operatorId: string,
  by: SignedInBy,
): Promise<boolean> {
  if (by.kind === 'link') return true
  let credentials = store
    .selectFrom('operator_credentials')
    .select('id')
    .where('operator_id', '=', operatorId)
    .where('kind', '=', by.kind)
  if (by.kind === 'password') credentials = credentials.where('secret', '=', by.hash)
  if (by.kind === 'passkey') credentials = credentials.where('id', '=', by.id)
  if (by.kind === 'single sign-on') {
    credentials = credentials.where('id', '=', identityId(by.identity))
  }
  return (await credentials.executeTakeFirst()) !== undefined
}

/** Those longest not seen, so that signing in over and over fills nothing. */
async function endOldest(
  store: Kysely<StoreTables>,
  operatorId: string,
  newestId: string,
): Promise<void> {
  const older = store
    .selectFrom('operator_sessions')
    .select('id')
    .where('operator_id', '=', operatorId)
    .where('id', '!=', newestId)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .limit(1000)
    .offset(mostSessions - 1)
  await store.deleteFrom('operator_sessions').where('id', 'in', older).execute()
}
