import type { Kysely } from 'kysely'
import type {
  OperatorSessions,
  SessionAge,
} from '#server/use-cases/operators/sessions/operator-sessions.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'
import { operatorColumns } from './operator-accounts.ts'

const sessionColumns = [
  'operator_sessions.id as sessionId',
  'began_at as beganAt',
  'seen_at as seenAt',
  'strong_at as strongAt',
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
    open: (tokenHash, operatorId, { id, beganAt, seenAt, strongAt, network, browser }) =>
      retryConflicts(async () => {
        const values = { token_hash: tokenHash, id, operator_id: operatorId, network, browser }
        const times = { began_at: beganAt, seen_at: seenAt, strong_at: strongAt }
        await db
          .insertInto('operator_sessions')
          .values({ ...values, ...times })
          .execute()
      }),
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
    endOthers: (operatorId, keptId) =>
      retryConflicts(async () => {
        const ended = await db
          .deleteFrom('operator_sessions')
          .where('operator_id', '=', operatorId)
          .$if(keptId !== undefined, (query) => query.where('id', '!=', keptId ?? ''))
          .returning('id')
          .execute()
        return ended.length
      }),
    forgetClosed: ({ beganSince, seenSince }) =>
      retryConflicts(async () => {
        await db
          .deleteFrom('operator_sessions')
          .where((eb) => eb.or([eb('began_at', '<=', beganSince), eb('seen_at', '<=', seenSince)]))
          .execute()
      }),
  }
}
