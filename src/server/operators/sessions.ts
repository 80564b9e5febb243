import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { hour, minute } from '#domain/durations.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { lockOperatorRow, operatorColumns } from './accounts.ts'
import { findCredential, type NewCredential } from './credentials.ts'
import type { Operator, RequestSource } from './operator.ts'
import type { OperatorContext } from './operator-context.ts'
import { hashSecret, makeSecret } from './secrets.ts'

type Db = Kysely<StoreTables>
type SessionContext = Pick<OperatorContext, 'db' | 'clock'>

/**
 * A session of an operator. `id` is not the secret token, so pages may show it; `lastAuthenticatedAt` is when the
 * operator last used a passkey, a password or a link; `browser` is a `User-Agent`. Times are epoch milliseconds.
 */
type Session = Awaited<ReturnType<typeof listSessions>>[number]

export interface OpenSession extends Session {
  readonly operator: Operator
}

/** The credential or the link that an operator has just signed in with. */
export type SignInMethod = NewCredential | 'link'

/** The most sessions of one operator. A further session ends the session that was unused the longest. */
export const maxSessions = 20

/** A session ends after `idle` milliseconds without a request, and at the latest `total` milliseconds after its start. */
export const sessionLifetimes = { idle: 8 * hour, total: 24 * hour } as const

/** The least time between two updates of `seen_at`, in milliseconds, so that page views rarely write. */
const lastSeenIntervalMs = minute

/** A `User-Agent` is cut to this length in characters, because a browser may send any length. */
const maxBrowserLength = 200

/**
 * Begins a session with a new secret for the browser. The store keeps only the secret's hash.
 * @param lastAuthenticatedAt the current time, or an earlier time if the operator authenticated at a single sign-on
 *   provider
 * @returns undefined if the operator was disabled or their credential changed during the sign-in
 */
export async function beginSession(
  { db, clock }: SessionContext,
  { id: operatorId }: Pick<Operator, 'id'>,
  { network, browser }: RequestSource,
  by: SignInMethod,
  lastAuthenticatedAt = clock(),
): Promise<string | undefined> {
  const secret = makeSecret()
  const now = clock()
  const session = {
    token_hash: hashSecret(secret),
    id: randomUUID(),
    operator_id: operatorId,
    began_at: now,
    seen_at: now,
    strong_at: lastAuthenticatedAt,
    network,
    browser: browser.slice(0, maxBrowserLength),
  }
  return runInTransaction(db, async (tx) => {
    const maySignIn = await lockOperatorRow(tx, operatorId)
    if (!maySignIn || !(await isMethodStillValid(tx, operatorId, by))) return undefined
    await tx.insertInto('operator_sessions').values(session).execute()
    await endOldestSessions(tx, operatorId, session.id)
    return secret
  })
}

async function isMethodStillValid(db: Db, operatorId: string, by: SignInMethod): Promise<boolean> {
  if (by === 'link') return true
  const found = await findCredential(db, by)
  return found?.operatorId === operatorId && found.secret === by.secret
}

async function endOldestSessions(db: Db, operatorId: string, newestId: string): Promise<void> {
  const older = db
    .selectFrom('operator_sessions')
    .select('id')
    .where('operator_id', '=', operatorId)
    .where('id', '!=', newestId)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .limit(1000)
    .offset(maxSessions - 1)
  await db.deleteFrom('operator_sessions').where('id', 'in', older).execute()
}

const selectOpenSessions = (db: Db, now: number) =>
  db
    .selectFrom('operator_sessions')
    .select([
      'operator_sessions.id as sessionId',
      'began_at as beganAt',
      'seen_at as seenAt',
      'strong_at as lastAuthenticatedAt',
      'network',
      'browser',
    ])
    .where('began_at', '>', now - sessionLifetimes.total)
    .where('seen_at', '>', now - sessionLifetimes.idle)

/** Finds an open session of an enabled operator by the browser's secret, without extending the session. */
export const findSession = async (
  { db, clock }: SessionContext,
  secret: string,
): Promise<OpenSession | undefined> => {
  const row = await selectOpenSessions(db, clock())
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .select(operatorColumns)
    .where('token_hash', '=', hashSecret(secret))
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, email, role, createdAt, disabledAt, sessionId, ...session } = row
  return { ...session, id: sessionId, operator: { id, email, role, createdAt, disabledAt } }
}

/** Finds a session, and extends it. Background requests use `findSession`, which doesn't extend the session. */
export async function extendSession(
  context: SessionContext,
  secret: string,
): Promise<OpenSession | undefined> {
  const session = await findSession(context, secret)
  const now = context.clock()
  // If the store refuses writes, the request still continues, so that operators can open the overview and read why.
  if (session && now - session.seenAt > lastSeenIntervalMs) {
    await updateSession(context.db, session.id, { seen_at: now }).catch(() => undefined)
  }
  return session
}

export const setLastAuthenticated = (db: Db, id: string, at: number): Promise<void> =>
  updateSession(db, id, { seen_at: at, strong_at: at })

const updateSession = async (
  db: Db,
  id: string,
  columns: { seen_at: number; strong_at?: number },
) => {
  await db.updateTable('operator_sessions').set(columns).where('id', '=', id).execute()
}

export const listSessions = async ({ db, clock }: SessionContext, operatorId: string) => {
  const rows = await selectOpenSessions(db, clock())
    .where('operator_id', '=', operatorId)
    .orderBy('seen_at', 'desc')
    .execute()
  return rows.map(({ sessionId, ...session }) => ({ ...session, id: sessionId }))
}

/** @returns false if the operator has no such session */
export const endSession = async (db: Db, id: string, operatorId: string): Promise<boolean> => {
  const ended = await db
    .deleteFrom('operator_sessions')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .returning('id')
    .execute()
  return ended.length > 0
}
