import type { ExpressionBuilder, Kysely } from 'kysely'
import { isAllowed } from '#domain/operator/rights.ts'
import { isAtLeast } from '#domain/operator/role.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { linkHolds } from '../manage-operators.ts'
import type { Operator } from '../operator.ts'
import type { OperatorAccounts } from '../operator-accounts.ts'
import { endWaysIn } from './end-ways-in.ts'
import { pauseJobsOf } from './pause-jobs-of.ts'

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
    withdrawRole: (id, at) =>
      retryConflicts(() => db.transaction().execute((store) => endAccess(store, id, at))),
    enable: (id) =>
      retryConflicts(() =>
        db.transaction().execute(async (store) => {
          const { numUpdatedRows } = await store
            .updateTable('operators')
            .set({ disabled_at: null })
            .where('id', '=', id)
            .where('disabled_at', 'is not', null)
            .executeTakeFirst()
          // A sign-in that was under way while the operator was disabled may have left a session.
          if (numUpdatedRows > 0n) await endWaysIn(store, id, undefined)
        }),
      ),
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

type Store = Kysely<StoreTables>

const setRole = (db: Store, id: string, role: Operator['role'], at: number): Promise<void> =>
  db.transaction().execute(async (store) => {
    const before = await store
      .selectFrom('operators')
      .select('role')
      .where('id', '=', id)
      .executeTakeFirst()
    await store.updateTable('operators').set({ role }).where('id', '=', id).execute()
    if (before === undefined || isAtLeast(role, before.role)) return
    await store.deleteFrom('operator_sessions').where('operator_id', '=', id).execute()
    if (!isAllowed(role, 'change operators')) await withdrawLinksBy(store, id, at)
    await pauseJobsOf(store, id, { role, at })
  })

const disable = (db: Store, id: string, at: number): Promise<void> =>
  db.transaction().execute(async (store) => {
    await store.updateTable('operators').set({ disabled_at: at }).where('id', '=', id).execute()
    await endAccess(store, id, at)
  })

/** Ends everything that would go on without the operator: sessions, links to sign in, links for others, jobs. */
async function endAccess(store: Store, id: string, at: number): Promise<void> {
  await endWaysIn(store, id, undefined)
  await withdrawLinksBy(store, id, at)
  await pauseJobsOf(store, id, { at })
}

/** The audit knows who made a link; no link is good for longer than an invitation. */
const withdrawLinksBy = (store: Store, id: string, at: number) =>
  store
    .deleteFrom('operator_links')
    .where('operator_id', 'in', (eb) =>
      eb
        .selectFrom('audit')
        .select('subject')
        .where('audit.operator_id', '=', id)
        .where('action', 'in', ['added an operator', 'made an invitation', 'made a sign-in link'])
        .where('at', '>', at - linkHolds.invitation)
        .$castTo<string>(),
    )
    .execute()
