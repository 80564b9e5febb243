import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { day } from '#domain/durations.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  disableAccount,
  enableAccount,
  findAccountByEmail,
  insertAccount,
  isOperatorStillAllowed,
  type linkLifetimes,
  operatorColumns,
} from './accounts.ts'
import { NotAllowedError } from './authorize.ts'
import type { Actor, Operator } from './operator.ts'
import { hashSecret, makeSecret } from './secrets.ts'

type Db = Kysely<StoreTables>

/** With an invitation, an operator sets a passkey or a password; a sign-in link signs in. Each link works once. */
export type OneTimeLinkPurpose = keyof typeof linkLifetimes

interface NewLink {
  readonly operatorId: string
  readonly purpose: OneTimeLinkPurpose
  /** When the link expires, in epoch milliseconds. */
  readonly expiresAt: number
  /** The person who makes the link for another person. */
  readonly by?: Actor
}

/**
 * Makes a link, in the caller's transaction, and ends the operator's earlier link for the same purpose.
 * @returns the link's code; the store keeps only its hash
 * @throws NotAllowedError if `by` no longer has the permission
 */
export async function insertOneTimeLink(
  db: Db,
  { operatorId: operator_id, purpose, expiresAt: expires_at, by }: NewLink,
): Promise<string> {
  if (by?.kind === 'console') {
    const right = 'manage operators'
    if (!(await isOperatorStillAllowed(db, by.id, right, true))) throw new NotAllowedError(right)
  }
  const code = makeSecret()
  await db
    .deleteFrom('operator_links')
    .where('operator_id', '=', operator_id)
    .where('purpose', '=', purpose)
    .execute()
  await db
    .insertInto('operator_links')
    .values({ code_hash: hashSecret(code), operator_id, purpose, expires_at })
    .execute()
  return code
}

/** Finds a link's operator; undefined if the link was used, has expired or never existed, or its operator is disabled. */
export const findOneTimeLink = (
  db: Db,
  code: string,
  purpose: OneTimeLinkPurpose,
  now: number,
): Promise<Operator | undefined> =>
  db
    .selectFrom('operator_links')
    .innerJoin('operators', 'operators.id', 'operator_links.operator_id')
    .select(operatorColumns)
    .where('code_hash', '=', hashSecret(code))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()

/** Finds a link's operator and uses the link up. Only one of several simultaneous calls succeeds. */
export const redeemOneTimeLink = (
  db: Db,
  code: string,
  purpose: OneTimeLinkPurpose,
  now: number,
): Promise<Operator | undefined> =>
  runInTransaction(db, async (tx) => {
    const operator = await findOneTimeLink(tx, code, purpose, now)
    if (operator === undefined) return undefined
    const used = await tx
      .deleteFrom('operator_links')
      .where('code_hash', '=', hashSecret(code))
      .returning('operator_id')
      .executeTakeFirst()
    return used && operator
  })

/** The demo admin's email address. Nobody receives mail at example.com, so no stranger can own the address. */
export const demoEmail = 'demo@example.com'

/** Makes a link that signs the demo's admin in once. Each start in demo mode replaces the earlier link. */
export async function makeDemoSignInLink(db: Db, origin: string, now: number): Promise<string> {
  const admin = { id: randomUUIDv7(), email: demoEmail, role: 'admin' } as const
  await insertAccount(db, { ...admin, createdAt: now, disabledAt: null })
  const { id = '' } = (await findAccountByEmail(db, demoEmail)) ?? {}
  const link = { operatorId: id, purpose: 'sign-in', expiresAt: now + day } as const
  const code = await runInTransaction(db, async (tx) => {
    await enableAccount(tx, id)
    return insertOneTimeLink(tx, link)
  })
  return `${origin}/sign-in?code=${code}`
}

/** Disables the demo's admin in production, if the store was used in demo mode before. */
export async function disableDemoOperator(db: Db, now: number): Promise<void> {
  const operator = await findAccountByEmail(db, demoEmail)
  if (operator?.disabledAt === null) {
    await runInTransaction(db, (tx) => disableAccount(tx, operator.id, now))
  }
}
