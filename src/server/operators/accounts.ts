import type { Kysely } from 'kysely'
import { day } from '#domain/durations.ts'
import { bulkActions, permissionByAction } from '#domain/job/job.ts'
import {
  isAllowed,
  isRoleAtLeast,
  type Permission,
  type Role,
} from '#domain/operator/permissions.ts'
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

/** @returns false if the email address already has an account */
export const insertAccount = async (
  db: Db,
  { id, email, role, createdAt, disabledAt }: Operator,
): Promise<boolean> => {
  const added = await db
    .insertInto('operators')
    .values({ id, email, role, created_at: createdAt, disabled_at: disabledAt })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

const selectAccounts = (db: Db) => db.selectFrom('operators').select(operatorColumns)

export const findAccount = (db: Db, id: string): Promise<Operator | undefined> =>
  selectAccounts(db).where('id', '=', id).executeTakeFirst()

/** @param email normalized */
export const findAccountByEmail = (db: Db, email: string): Promise<Operator | undefined> =>
  selectAccounts(db).where('email', '=', email).executeTakeFirst()

/** Lists all operators. `seenAt` is when the operator last used a session, in epoch milliseconds; null without a session. */
export const listAccounts = async (db: Db) => {
  const operators = await selectAccounts(db)
    .leftJoin('operator_sessions', 'operator_sessions.operator_id', 'operators.id')
    .select(({ fn }) => fn.max('seen_at').as('seenAt'))
    .groupBy('operators.id')
    .orderBy('email')
    .execute()
  const credentials = await db
    .selectFrom('operator_credentials')
    .select(['operator_id', 'kind'])
    .execute()
  return operators.map((operator) => {
    const own = credentials.filter(({ operator_id }) => operator_id === operator.id)
    const count = (wanted: string) => own.filter(({ kind }) => kind === wanted).length
    return {
      ...operator,
      hasPassword: count('password') > 0,
      passkeys: count('passkey'),
      hasSingleSignOn: count('single sign-on') > 0,
    }
  })
}

/**
 * Sets an operator's role, in the caller's transaction. A lower role also ends the operator's sessions, ends the links
 * that the operator may no longer make, and pauses the jobs that the operator may no longer start.
 */
export async function setAccountRole(db: Db, id: string, role: Role, at: number): Promise<void> {
  await lockOperatorRow(db, id)
  const before = await findAccount(db, id)
  await db.updateTable('operators').set({ role }).where('id', '=', id).execute()
  if (before === undefined || isRoleAtLeast(role, before.role)) return
  await db.deleteFrom('operator_sessions').where('operator_id', '=', id).execute()
  if (!isAllowed(role, 'manage operators')) await endLinksMadeBy(db, id, at)
  await pauseJobsOf(db, id, at, role)
}

/** Disables an operator, in the caller's transaction, and ends all access. */
export async function disableAccount(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('operators').set({ disabled_at: at }).where('id', '=', id).execute()
  await endAllAccess(db, id, at)
}

export async function enableAccount(db: Db, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('operators')
    .set({ disabled_at: null })
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst()
  // A sign-in that was in progress when the account was disabled may have left a session.
  if (numUpdatedRows > 0n) await endSessionsAndLinks(db, id)
}

/** Ends an operator's sessions, their links and the links that they made, and pauses their jobs. */
export async function endAllAccess(db: Db, id: string, at: number): Promise<void> {
  await endSessionsAndLinks(db, id)
  await endLinksMadeBy(db, id, at)
  await pauseJobsOf(db, id, at)
}

/** Locks the operator's row, so that sign-ins wait for this transaction. @returns whether the operator may sign in */
export async function lockOperatorRow(db: Db, id: string): Promise<boolean> {
  const row = await db
    .updateTable('operators')
    .set((eb) => ({ email: eb.ref('email') }))
    .where('id', '=', id)
    .returning('disabled_at')
    .executeTakeFirst()
  return row?.disabled_at === null
}

/**
 * Ends an operator's sessions and unused links. Each transaction that changes a credential calls this function.
 * @param keptSessionId the session that makes the change and stays open
 */
export async function endSessionsAndLinks(
  db: Db,
  operatorId: string,
  keptSessionId = '',
): Promise<void> {
  await db.deleteFrom('operator_links').where('operator_id', '=', operatorId).execute()
  await db
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .where('id', '!=', keptSessionId)
    .execute()
}

/** Milliseconds until a link expires. An invitation lasts longer, because an admin has to send it to another person. */
export const linkLifetimes = {
  invitation: day,
  'sign-in': 15 * 60 * 1000,
} as const

/** Ends the links that an operator made in the last 24 hours, according to the audit log. Older links have expired. */
const endLinksMadeBy = (db: Db, id: string, at: number) =>
  db
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

/**
 * Pauses the jobs that the operator may no longer start, until another operator resumes or cancels them.
 * @param role undefined if the operator has lost all access
 */
async function pauseJobsOf(db: Db, operatorId: string, at: number, role?: Role): Promise<void> {
  const lost = bulkActions.filter(
    (action) => role === undefined || !isAllowed(role, permissionByAction[action]),
  )
  if (lost.length === 0) return
  await db
    .updateTable('jobs')
    .set({ paused_at: at, lease: null, leased_until: null })
    .where('operator_id', '=', operatorId)
    .where('action', 'in', lost)
    .where('phase', 'in', ['gathering', 'running'])
    .where('paused_at', 'is', null)
    .execute()
}

/**
 * Whether an operator is enabled and has a role that allows an action, as read in the caller's transaction.
 * @param isLocking if true, nobody can disable or demote the operator until the transaction ends, and the operator's
 *   other changes wait. To prevent a deadlock with `disableAccount`, lock the operator before a job.
 */
export async function isOperatorStillAllowed(
  db: Db,
  operatorId: string,
  action: Permission,
  isLocking = false,
): Promise<boolean> {
  const operator = await db
    .selectFrom('operators')
    .select('role')
    .where('id', '=', operatorId)
    .where('disabled_at', 'is', null)
    .$if(isLocking, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return operator !== undefined && isAllowed(operator.role, action)
}
