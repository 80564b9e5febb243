import type { Kysely } from 'kysely'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { endSessionsAndLinks, lockOperatorRow, operatorColumns } from './accounts.ts'
import type { Operator } from './operator.ts'
import { hashSecret } from './secrets.ts'

type Db = Kysely<StoreTables>

/** A password, a passkey or an identity at a single sign-on provider. Times are epoch milliseconds. */
export interface Credential {
  readonly kind: StoreTables['operator_credentials']['kind']
  /** The operator's id for a password, the authenticator's id for a passkey, a hash of issuer and subject for an identity. */
  readonly id: string
  readonly operatorId: string
  /** The password's hash, the passkey's public key (base64url) or the identity's issuer. */
  readonly secret: string
  /** How many signatures the passkey has made, as counted by its authenticator. */
  readonly counter: number
  readonly createdAt: number
  readonly usedAt: number | null
}

export type NewCredential = Pick<Credential, 'kind' | 'id' | 'secret'> & {
  readonly counter?: number
}

export const maxPasskeys = 20

export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
}

export const toIdentityCredential = (identity: ProviderIdentity) => ({
  kind: 'single sign-on' as const,
  id: hashSecret(`single sign-on ${JSON.stringify([identity.issuer, identity.subject])}`),
  secret: identity.issuer,
})

const selectCredentials = (db: Db) =>
  db
    .selectFrom('operator_credentials')
    .select(['kind', 'id', 'operator_id as operatorId', 'secret', 'counter'])
    .select(['created_at as createdAt', 'used_at as usedAt'])

export const listCredentials = async (db: Db, operatorId: string) => {
  const query = selectCredentials(db).where('operator_id', '=', operatorId)
  const credentials: readonly Credential[] = await query.orderBy('created_at').execute()
  const ofKind = (wanted: Credential['kind']) => credentials.filter(({ kind }) => kind === wanted)
  return {
    hasPassword: ofKind('password').length > 0,
    passkeys: ofKind('passkey'),
    /** The single sign-on providers that the operator is linked to. */
    issuers: ofKind('single sign-on').map(({ secret }) => secret),
  }
}

export const findCredential = (
  db: Db,
  { kind, id }: Pick<Credential, 'kind' | 'id'>,
): Promise<Credential | undefined> =>
  selectCredentials(db).where('id', '=', id).where('kind', '=', kind).executeTakeFirst()

/**
 * Reads an operator and their password hash in one statement, so that the duration doesn't reveal whether the account
 * exists.
 * @param email normalized
 */
export const findAccountWithPassword = async (
  db: Db,
  email: string,
): Promise<{ readonly operator: Operator; readonly hash: string | null } | undefined> => {
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
  return { operator, hash }
}

interface CredentialChange {
  readonly operatorId: string
  /** The time of the change, in epoch milliseconds. */
  readonly at: number
  readonly keptSessionId?: string | undefined
}

export const duplicatePasskeyMessage =
  'This passkey is already registered, so it was not added. Use another passkey.'

/**
 * Adds a credential. A password replaces the earlier password, and ends the operator's links and other sessions.
 * @returns the reason why the credential was refused, in words; undefined if it was added
 */
export const addCredential = (
  db: Db,
  { kind, id, secret, counter = 0 }: NewCredential,
  { operatorId, at, keptSessionId }: CredentialChange,
): Promise<string | undefined> =>
  runInTransaction(db, async (tx) => {
    await lockOperatorRow(tx, operatorId)
    if (kind === 'passkey') {
      const { passkeys } = await listCredentials(tx, operatorId)
      if (passkeys.length >= maxPasskeys) {
        return `An account has at most ${maxPasskeys} passkeys, so this passkey was not added. Remove one first.`
      }
    }
    const columns = {
      kind,
      secret,
      counter,
      operator_id: operatorId,
      created_at: at,
      used_at: null,
    }
    const added = await tx
      .insertInto('operator_credentials')
      .values({ id, ...columns })
      .onConflict((conflict) =>
        kind === 'passkey'
          ? conflict.column('id').doNothing()
          : conflict
              .column('id')
              .doUpdateSet(columns)
              // All kinds share one primary key, and an authenticator chooses its passkey's id. A password
              // therefore replaces a passkey that an attacker registered under the password's id.
              .where('operator_credentials.kind', 'in', [
                'passkey',
                ...(kind === 'password' ? [kind] : []),
              ]),
      )
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) return duplicatePasskeyMessage
    if (kind === 'password') await endSessionsAndLinks(tx, operatorId, keptSessionId)
    return undefined
  })

export const recordCredentialUse = async (
  db: Db,
  { kind, id, counter = 0 }: Pick<NewCredential, 'kind' | 'id' | 'counter'>,
  at: number,
): Promise<void> => {
  await db
    .updateTable('operator_credentials')
    .set({ counter, used_at: at })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .execute()
}

/**
 * Removes one of the operator's credentials, or all of a kind, in the caller's transaction, and ends the operator's
 * links and other sessions.
 * @returns how many credentials were removed
 */
export async function removeCredentials(
  db: Db,
  operatorId: string,
  { kind, id }: { readonly kind: Credential['kind']; readonly id?: string },
  keptSessionId?: string,
): Promise<number> {
  await lockOperatorRow(db, operatorId)
  const removed = await db
    .deleteFrom('operator_credentials')
    .where('operator_id', '=', operatorId)
    .where('kind', '=', kind)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .returning('id')
    .execute()
  if (removed.length > 0) await endSessionsAndLinks(db, operatorId, keptSessionId)
  return removed.length
}
