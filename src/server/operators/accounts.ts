import type { ExpressionBuilder, Kysely } from 'kysely'
import { bulkActions, rightFor } from '#domain/job/job.ts'
import { type Action, isAllowed } from '#domain/operator/rights.ts'
import { isAtLeast, type Role } from '#domain/operator/role.ts'
import type { Locking } from '#server/platform/database/lead-database.ts'
import { inTransaction, retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { Operator } from './operator.ts'

type Db = Kysely<StoreTables>

export const operatorColumns = [
  'operators.id',
  'operators.email',
  'operators.role',
  'operators.created_at as createdAt',
  'operators.disabled_at as disabledAt',
] as const

export interface ListedOperator extends Operator {
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly hasSingleSignOn: boolean
  /** Epoch milliseconds; null where no session is open. */
  readonly seenAt: number | null
}

/** @returns false where the email address has an account */
export const insertAccount = (
  db: Db,
  { id, email, role, createdAt, disabledAt }: Operator,
): Promise<boolean> =>
  retryConflicts(async () => {
    const added = await db
      .insertInto('operators')
      .values({ id, email, role, created_at: createdAt, disabled_at: disabledAt })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  })

export const findAccount = (db: Db, id: string): Promise<Operator | undefined> =>
  findBy(db, 'id', id)

/** @param email normalized */
export const findAccountByEmail = (db: Db, email: string): Promise<Operator | undefined> =>
  findBy(db, 'email', email)

const findBy = (db: Db, column: 'id' | 'email', value: string) =>
  retryConflicts(() =>
    db.selectFrom('operators').select(operatorColumns).where(column, '=', value).executeTakeFirst(),
  )

/** By email address. */
export const listAccounts = (db: Db): Promise<readonly ListedOperator[]> =>
  retryConflicts(async () => {
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
  })

const countOf = (
  eb: ExpressionBuilder<StoreTables, 'operators'>,
  kind: StoreTables['operator_credentials']['kind'],
) =>
  eb
    .selectFrom('operator_credentials')
    .select((count) => count.fn.countAll<number>().as('n'))
    .whereRef('operator_id', '=', 'operators.id')
    .where('kind', '=', kind)

/**
 * Sets the role. A lower one ends the operator's sessions, pauses the jobs that they may no longer start, and ends the links
 * that they made for others, where they may make none any more.
 * @param at epoch milliseconds
 */
export const setAccountRole = (db: Db, id: string, role: Role, at: number): Promise<void> =>
  inTransaction(db, async (store) => {
    const before = await store
      .selectFrom('operators')
      .select('role')
      .where('id', '=', id)
      .executeTakeFirst()
    await store.updateTable('operators').set({ role }).where('id', '=', id).execute()
    if (before === undefined || isAtLeast(role, before.role)) return
    await store.deleteFrom('operator_sessions').where('operator_id', '=', id).execute()
    if (!isAllowed(role, 'change operators')) await endLinksMadeBy(store, id, at)
    await pauseJobsOf(store, id, { role, at })
  })

/**
 * Disables an account: ends its sessions, its links and the links it made for others, and pauses its jobs.
 * @param at epoch milliseconds
 */
export const disableAccount = (db: Db, id: string, at: number): Promise<void> =>
  inTransaction(db, async (store) => {
    await store.updateTable('operators').set({ disabled_at: at }).where('id', '=', id).execute()
    await endAllAccess(store, id, at)
  })

/** Does the same for an operator who no longer has a role at the single sign-on provider; the account stays enabled. */
export const endAccountAccess = (db: Db, id: string, at: number): Promise<void> =>
  inTransaction(db, (store) => endAllAccess(store, id, at))

export const enableAccount = (db: Db, id: string): Promise<void> =>
  inTransaction(db, async (store) => {
    const { numUpdatedRows } = await store
      .updateTable('operators')
      .set({ disabled_at: null })
      .where('id', '=', id)
      .where('disabled_at', 'is not', null)
      .executeTakeFirst()
    // A sign-in that was under way when the account was disabled may have left a session.
    if (numUpdatedRows > 0n) await endSessionsAndLinks(store, id, undefined)
  })

async function endAllAccess(store: Db, id: string, at: number): Promise<void> {
  await endSessionsAndLinks(store, id, undefined)
  await endLinksMadeBy(store, id, at)
  await pauseJobsOf(store, id, { at })
}

/**
 * Locks an operator's row on both databases until the transaction ends, so that a sign-in and a change of what it signs in
 * with happen one after the other.
 * @returns whether they may sign in
 */
export async function lockOperator(store: Db, id: string): Promise<boolean> {
  const row = await store
    .updateTable('operators')
    .set((eb) => ({ email: eb.ref('email') }))
    .where('id', '=', id)
    .returning('disabled_at')
    .executeTakeFirst()
  return row?.disabled_at === null
}

/**
 * Ends an operator's sessions and unused links. Part of each transaction that changes a credential.
 * @param keptSessionId the session that makes the change
 * @returns how many sessions ended
 */
export async function endSessionsAndLinks(
  store: Db,
  operatorId: string,
  keptSessionId: string | undefined,
): Promise<number> {
  await store.deleteFrom('operator_links').where('operator_id', '=', operatorId).execute()
  const ended = await store
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .$if(keptSessionId !== undefined, (query) => query.where('id', '!=', keptSessionId ?? ''))
    .returning('id')
    .execute()
  return ended.length
}

/** In milliseconds. An invitation is sent to somebody else; a sign-in link is used by the person who made it. */
export const linkLifetimes = {
  invitation: 24 * 60 * 60 * 1000,
  'sign-in': 15 * 60 * 1000,
} as const

/** The audit log says who made a link. No link outlives an invitation. */
const endLinksMadeBy = (store: Db, id: string, at: number) =>
  store
    .deleteFrom('operator_links')
    .where('operator_id', 'in', (eb) =>
      eb
        .selectFrom('audit')
        .select('subject')
        .where('audit.operator_id', '=', id)
        .where('action', 'in', ['added an operator', 'made an invitation', 'made a sign-in link'])
        .where('at', '>', at - linkLifetimes.invitation)
        .$castTo<string>(),
    )
    .execute()

interface LostRole {
  /** Undefined where they have none any more. */
  readonly role?: Role
  readonly at: number
}

/** Pauses the jobs that the operator may no longer start, until another operator resumes or cancels them. */
async function pauseJobsOf(store: Db, operatorId: string, { role, at }: LostRole): Promise<void> {
  const lost = bulkActions.filter(
    (action) => role === undefined || !isAllowed(role, rightFor[action]),
  )
  if (lost.length === 0) return
  await store
    .updateTable('jobs')
    .set({ paused_at: at, lease: null, leased_until: null })
    .where('operator_id', '=', operatorId)
    .where('action', 'in', lost)
    .where('phase', 'in', ['gathering', 'running'])
    .where('paused_at', 'is', null)
    .execute()
}

/** The role of an enabled operator as of this transaction; undefined for a disabled or unknown one. */
export const findRole = async (store: Db, operatorId: string): Promise<Role | undefined> =>
  (await selectRole(store, operatorId).executeTakeFirst())?.role

/**
 * The same, and nobody can disable or demote the operator until this transaction ends. Call it before the transaction locks a
 * job: disabling locks the operator first and the jobs second.
 */
export const holdRole = async (
  store: Db,
  operatorId: string,
  locking: Locking,
): Promise<Role | undefined> =>
  (
    await selectRole(store, operatorId)
      .$if(locking === 'rows', (query) => query.forShare())
      .executeTakeFirst()
  )?.role

const selectRole = (store: Db, operatorId: string) =>
  store
    .selectFrom('operators')
    .select('role')
    .where('id', '=', operatorId)
    .where('disabled_at', 'is', null)

/** Whether a role allows an action; a disabled operator has none. */
export const mayStill = (role: Role | undefined, action: Action): boolean =>
  role !== undefined && isAllowed(role, action)
