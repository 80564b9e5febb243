import type { Kysely } from 'kysely'
import { inTransaction, retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { endSessionsAndLinks, lockOperator, operatorColumns } from './accounts.ts'
import type { Operator } from './operator.ts'
import { hashOf } from './secrets.ts'

type Db = Kysely<StoreTables>
type CredentialKind = StoreTables['operator_credentials']['kind']

/** Times are epoch milliseconds. */
export interface Passkey {
  /** The authenticator's own id, base64url. */
  readonly id: string
  readonly operatorId: string
  /** base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly createdAt: number
  readonly usedAt: number | null
}

/** Of one operator. */
export const maxPasskeys = 20

/** A person at a single sign-on provider. */
export interface ProviderIdentity {
  readonly issuer: string
  /** The provider's own id of the person. */
  readonly subject: string
}

/** The password's hash; undefined where the operator has none. */
export const findPasswordHash = (db: Db, operatorId: string): Promise<string | undefined> =>
  retryConflicts(async () => {
    const row = await db
      .selectFrom('operator_credentials')
      .select('secret')
      .where('id', '=', operatorId)
      .where('kind', '=', 'password')
      .executeTakeFirst()
    return row?.secret
  })

/**
 * The operator and their password's hash: one statement whether the account exists or not, so that
 * timing reveals nothing.
 */
export const findByEmailWithHash = (
  db: Db,
  email: string,
): Promise<{ readonly operator: Operator; readonly hash: string | undefined } | undefined> =>
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
  })

export interface NewPassword {
  readonly hash: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly keptSessionId: string | undefined
}

/**
 * Replaces the password, and ends the operator's links and sessions but the one that is kept.
 * @returns false where nothing was written
 */
export const setPassword = (
  db: Db,
  operatorId: string,
  { hash, at, keptSessionId }: NewPassword,
): Promise<boolean> =>
  inTransaction(db, async (store) => {
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
    await endSessionsAndLinks(store, operatorId, keptSessionId)
    return true
  })

/**
 * Removes a credential of another kind with this id. Passwords, passkeys and identities share one
 * primary key. We make the ids of passwords and identities ourselves, but an authenticator chooses
 * a passkey's: under one of ours it was forged to stand in somebody's way.
 */
async function makeRoomFor(
  store: Db,
  kind: Exclude<CredentialKind, 'passkey'>,
  id: string,
): Promise<void> {
  await store
    .deleteFrom('operator_credentials')
    .where('id', '=', id)
    .where('kind', '!=', kind)
    .execute()
}

const selectPasskeys = (db: Db) =>
  db
    .selectFrom('operator_credentials')
    .select([
      'id',
      'operator_id as operatorId',
      'secret as publicKey',
      'counter',
      'created_at as createdAt',
      'used_at as usedAt',
    ])
    .where('kind', '=', 'passkey')

export const listPasskeys = (db: Db, operatorId: string): Promise<readonly Passkey[]> =>
  retryConflicts(() =>
    selectPasskeys(db).where('operator_id', '=', operatorId).orderBy('created_at').execute(),
  )

export const findPasskey = (db: Db, id: string): Promise<Passkey | undefined> =>
  retryConflicts(() => selectPasskeys(db).where('id', '=', id).executeTakeFirst())

/** @returns `known` where its id is taken, by anybody; `too many` beyond {@link maxPasskeys} */
export const insertPasskey = (
  db: Db,
  { id, operatorId, publicKey, counter, createdAt }: Omit<Passkey, 'usedAt'>,
): Promise<'added' | 'known' | 'too many'> =>
  inTransaction(db, async (store) => {
    await lockOperator(store, operatorId)
    const own = await selectPasskeys(store).where('operator_id', '=', operatorId).execute()
    if (own.length >= maxPasskeys) return 'too many'
    const values = { id, operator_id: operatorId, kind: 'passkey' as const, secret: publicKey }
    const added = await store
      .insertInto('operator_credentials')
      .values({ ...values, counter, created_at: createdAt, used_at: null })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return added === undefined ? 'known' : 'added'
  })

export const recordPasskeyUse = (
  db: Db,
  id: string,
  { counter, at }: { readonly counter: number; readonly at: number },
): Promise<void> =>
  retryConflicts(async () => {
    await db
      .updateTable('operator_credentials')
      .set({ counter, used_at: at })
      .where('id', '=', id)
      .where('kind', '=', 'passkey')
      .execute()
  })

/**
 * Removes a passkey, and ends the operator's links and sessions but the one that is kept.
 * @returns false where the operator has no such passkey
 */
export const deletePasskey = (
  db: Db,
  id: string,
  { operatorId, keptSessionId }: { readonly operatorId: string; readonly keptSessionId: string },
): Promise<boolean> =>
  inTransaction(db, async (store) => {
    await lockOperator(store, operatorId)
    const removed = await store
      .deleteFrom('operator_credentials')
      .where('id', '=', id)
      .where('operator_id', '=', operatorId)
      .where('kind', '=', 'passkey')
      .returning('id')
      .execute()
    if (removed.length === 0) return false
    await endSessionsAndLinks(store, operatorId, keptSessionId)
    return true
  })

/** An identity is stored like a credential: its id is a hash of issuer and subject, and its secret the issuer. */
export const identityId = ({ issuer, subject }: ProviderIdentity): string =>
  hashOf(`single sign-on ${JSON.stringify([issuer, subject])}`)

/** @returns the operator's id */
export const findIdentity = (db: Db, identity: ProviderIdentity): Promise<string | undefined> =>
  retryConflicts(async () => {
    const row = await db
      .selectFrom('operator_credentials')
      .select('operator_id')
      .where('id', '=', identityId(identity))
      .where('kind', '=', 'single sign-on')
      .executeTakeFirst()
    return row?.operator_id
  })

/** Whether the operator is linked to somebody at that provider. */
export const hasIdentityAt = (db: Db, issuer: string, operatorId: string): Promise<boolean> =>
  retryConflicts(async () => {
    const row = await db
      .selectFrom('operator_credentials')
      .select('id')
      .where('operator_id', '=', operatorId)
      .where('kind', '=', 'single sign-on')
      .where('secret', '=', issuer)
      .executeTakeFirst()
    return row !== undefined
  })

/** @returns false where the identity is linked to an operator already */
export const linkIdentity = (
  db: Db,
  operatorId: string,
  identity: ProviderIdentity,
  at: number,
): Promise<boolean> =>
  inTransaction(db, async (store) => {
    const kind = 'single sign-on'
    const values = { id: identityId(identity), operator_id: operatorId, kind } as const
    await makeRoomFor(store, kind, values.id)
    const added = await store
      .insertInto('operator_credentials')
      .values({ ...values, secret: identity.issuer, created_at: at, used_at: at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  })

export const recordIdentityUse = (db: Db, identity: ProviderIdentity, at: number): Promise<void> =>
  retryConflicts(async () => {
    await db
      .updateTable('operator_credentials')
      .set({ used_at: at })
      .where('id', '=', identityId(identity))
      .where('kind', '=', 'single sign-on')
      .execute()
  })

/** Removes the operator's identities at every provider, with their sessions and links. Resolves with how many there were. */
export const unlinkIdentities = (db: Db, operatorId: string): Promise<number> =>
  inTransaction(db, async (store) => {
    await lockOperator(store, operatorId)
    const removed = await store
      .deleteFrom('operator_credentials')
      .where('operator_id', '=', operatorId)
      .where('kind', '=', 'single sign-on')
      .returning('id')
      .execute()
    if (removed.length > 0) await endSessionsAndLinks(store, operatorId, undefined)
    return removed.length
  })
