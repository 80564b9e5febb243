import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Operator } from '#server/use-cases/operators/operator.ts'
import type { OperatorAccounts } from '#server/use-cases/operators/operator-accounts.ts'
import { pauseJobsOf } from '../jobs/pause-jobs-of.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'

export const operatorColumns = [
  'operators.id',
  'operators.email',
  'operators.role',
  'operators.created_at as createdAt',
  'operators.disabled_at as disabledAt',
] as const

export function makeOperatorAccounts(db: Kysely<StoreTables>): OperatorAccounts {
  const find = (column: 'id' | 'email', value: string) =>
    retryConflicts(() =>
      db
        .selectFrom('operators')
        .select(operatorColumns)
        .where(column, '=', value)
        .executeTakeFirst(),
    )
  return {
    add: ({ id, email, role, createdAt, disabledAt }) =>
      retryConflicts(async () => {
        const added = await db
          .insertInto('operators')
          .values({ id, email, role, created_at: createdAt, disabled_at: disabledAt })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .returning('id')
          .executeTakeFirst()
        return added !== undefined
      }),
    find: (id) => find('id', id),
    findByEmail: (email) => find('email', email),
    list: () => retryConflicts(() => listOperators(db)),
    setRole: (id, role, at) => retryConflicts(() => setRole(db, id, role, at)),
    disable: (id, at) => retryConflicts(() => disable(db, id, at)),
    enable: (id) =>
      retryConflicts(async () => {
        await db.updateTable('operators').set({ disabled_at: null }).where('id', '=', id).execute()
      }),
  }
}

async function listOperators(db: Kysely<StoreTables>) {
  const rows = await db
    .selectFrom('operators')
    .select(operatorColumns)
    .select((eb) => [
      countOf(eb, 'password').as('passwords'),
      countOf(eb, 'passkey').as('passkeys'),
      countOf(eb, 'single sign-on').as('identities'),
      eb
        .selectFrom('operator_sessions')
        .select((max) => max.fn.max('seen_at').as('seen'))
        .whereRef('operator_id', '=', 'operators.id')
        .as('seenAt'),
    ])
    .orderBy('email')
    .execute()
  return rows.map(({ passwords, passkeys, identities, ...operator }) => ({
    ...operator,
    hasPassword: Number(passwords) > 0,
    passkeys: Number(passkeys),
    hasSingleSignOn: Number(identities) > 0,
  }))
}

const countOf = (
  eb: ExpressionBuilder<StoreTables, 'operators'>,
  kind: StoreTables['operator_credentials']['kind'],
) =>
  eb
    .selectFrom('operator_credentials')
    .select((count) => count.fn.countAll<number>().as('n'))
    .whereRef('operator_id', '=', 'operators.id')
    .where('kind', '=', kind)

const setRole = (
  db: Kysely<StoreTables>,
  id: string,
  role: Operator['role'],
  at: number,
): Promise<void> =>
  db.transaction().execute(async (store) => {
    await store.updateTable('operators').set({ role }).where('id', '=', id).execute()
    await pauseJobsOf(store, id, { role, at })
  })

const disable = (db: Kysely<StoreTables>, id: string, at: number): Promise<void> =>
  db.transaction().execute(async (store) => {
    await store.updateTable('operators').set({ disabled_at: at }).where('id', '=', id).execute()
    await store.deleteFrom('operator_sessions').where('operator_id', '=', id).execute()
    await store.deleteFrom('operator_links').where('operator_id', '=', id).execute()
    await pauseJobsOf(store, id, { at })
  })
