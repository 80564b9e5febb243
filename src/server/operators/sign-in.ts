import { accountBackoff, browserBackoff, networkBackoff } from '#domain/operator/sign-in-limits.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { listSharedNetworks } from '#server/platform/http/visitor-ip.ts'
import { endSessionsAndLinks } from './accounts.ts'
import { runWithAudit } from './audit.ts'
import { authorize } from './authorize.ts'
import {
  addCredential,
  duplicatePasskeyMessage,
  findAccountWithPassword,
  findCredential,
  listCredentials,
  type NewCredential,
  removeCredentials,
} from './credentials.ts'
import { findOneTimeLink, redeemOneTimeLink } from './one-time-links.ts'
import { type ConsoleActor, type Operator, type RequestSource, toConsoleActor } from './operator.ts'
import type { OperatorContext } from './operator-context.ts'
import { verifyPassword } from './passwords.ts'
import {
  beginSession,
  endSession,
  listSessions,
  type SignInMethod,
  setLastAuthenticated,
} from './sessions.ts'
import {
  beginSignInAttempt,
  clearSignInAttempts,
  forgetSuccessfulAttempt,
  makeSignInAttemptKey,
} from './sign-in-attempts.ts'

interface Authentication {
  readonly operator: Operator
  readonly from: RequestSource
  readonly by: SignInMethod
  /** How the operator signed in, in words, for the audit log. */
  readonly reason?: string
  /** When the operator authenticated, in epoch milliseconds: now, or earlier at a single sign-on provider. */
  readonly lastAuthenticatedAt?: number
}

/** Records the sign-in and begins a session. Resolves with the secret; undefined if the credential has just changed. */
export async function completeSignIn(
  context: OperatorContext,
  {
    operator,
    from,
    by,
    reason = by === 'link' ? 'by a link' : `by ${by.kind}`,
    lastAuthenticatedAt = context.clock(),
  }: Authentication,
): Promise<string | undefined> {
  const { audit, clock } = context
  const actor = toConsoleActor(operator, from.network, lastAuthenticatedAt)
  const id = await audit.record(actor, { action: 'signed in', reason }, clock())
  const secret = await beginSession(context, operator, from, by, lastAuthenticatedAt)
  if (secret === undefined) {
    await audit.recordOutcome(id, 'refused: the credential was just removed')
  }
  return secret
}

interface PasswordAttempt {
  readonly email: string
  readonly password: string
  /** The id of the known browser or session that the attempt comes from; undefined for an unknown browser. */
  readonly knownAs: string | undefined
}

/** Signs an operator in by password. Resolves with the browser's new secret unless the password is refused. */
export async function signInByPassword(
  context: OperatorContext,
  given: PasswordAttempt,
  from: RequestSource,
) {
  const checked = await checkPassword(context, given, from)
  if (checked.kind !== 'valid') return checked
  const { operator, hash } = checked
  const by = { kind: 'password', id: operator.id, secret: hash } as const
  const secret = await completeSignIn(context, { operator, from, by })
  if (secret === undefined) return { kind: 'wrong' } as const
  return { kind: 'signed in', secret } as const
}

/** Only the 5th, 50th, 500th and 5,000th failures in a row are recorded, because audit entries are permanent. */
const isRecordedCount = (failures: number): boolean =>
  [1, 10, 100, 1000].some((times) => failures === times * accountBackoff.free)

/**
 * Checks a password, which takes equally long whether or not the account exists. Attempts are limited by account and
 * network, or by browser if the browser is known.
 */
async function checkPassword(
  { db, audit, clock }: OperatorContext,
  { email, password, knownAs }: PasswordAttempt,
  from: RequestSource,
) {
  const account = toEmailAddress(email)
  const isKnown = knownAs !== undefined
  const own = isKnown
    ? { key: makeSignInAttemptKey('browser', account, knownAs), policy: browserBackoff }
    : { key: makeSignInAttemptKey('account', account), policy: accountBackoff }
  const networks = listSharedNetworks(from.network).map(({ network, factor }) => ({
    key: makeSignInAttemptKey('network', network),
    policy: { ...networkBackoff, free: networkBackoff.free * factor },
  }))
  const beganAt = clock()
  const begun = await beginSignInAttempt(db, isKnown ? [own] : [own, ...networks], beganAt)
  if (begun.kind === 'wait') {
    return { kind: 'wait', seconds: Math.ceil((begun.until - clock()) / 1000) } as const
  }
  const { operator, hash } = (await findAccountWithPassword(db, account)) ?? {}
  const isMatch = await verifyPassword(password, hash, isKnown ? 'known browsers' : 'strangers')
  if (operator?.disabledAt === null && hash && isMatch) {
    await clearSignInAttempts(db, own.key)
    if (!isKnown) {
      for (const { key } of networks) await forgetSuccessfulAttempt(db, key, beganAt)
    }
    return { kind: 'valid', operator, hash } as const
  }
  if (operator !== undefined && isRecordedCount(begun.failures)) {
    const actor = toConsoleActor(operator, from.network)
    const reason = `${begun.failures} wrong passwords`
    const entry = { action: 'was guessed at', reason } as const
    // The audit record is not awaited, because the wait would reveal that the account exists.
    void audit.record(actor, entry, clock()).catch(() => undefined)
  }
  // The account is unknown or disabled, or the password is wrong: the reply doesn't tell which.
  return { kind: 'wrong' } as const
}

/** Signs in by a one-time link. Resolves with the browser's secret; undefined if the link is no longer valid. */
export async function signInByLink(
  context: OperatorContext,
  code: string,
  from: RequestSource,
): Promise<string | undefined> {
  const operator = await redeemOneTimeLink(context.db, code, 'sign-in', context.clock())
  return operator && completeSignIn(context, { operator, from, by: 'link' })
}

/** Makes a credential from a password or a passkey's response, or returns the reason why it is refused, in words. */
export type CredentialMaker = (
  operator: Pick<Operator, 'id' | 'email'>,
) => Promise<NewCredential | string>

/**
 * Accepts an invitation: adds the chosen credential, ends the operator's other sessions and links, and signs in. If the
 * credential is refused, the invitation stays valid, and `fault` is the reason in words.
 */
export async function acceptInvitation(
  context: OperatorContext,
  code: string,
  make: CredentialMaker,
  from: RequestSource,
) {
  const { db, clock } = context
  const invited = await findOneTimeLink(db, code, 'invitation', clock())
  if (invited === undefined) return { kind: 'used link' } as const
  const made = await make(invited)
  if (typeof made === 'string') return { kind: 'fault', fault: made } as const
  if (made.kind === 'passkey' && (await findCredential(db, made)) !== undefined) {
    return { kind: 'fault', fault: duplicatePasskeyMessage } as const
  }
  const operator = await redeemOneTimeLink(db, code, 'invitation', clock())
  if (operator === undefined) return { kind: 'used link' } as const
  const added = { operatorId: operator.id, at: clock() }
  if ((await addCredential(db, made, added)) !== undefined) return { kind: 'used link' } as const
  await runInTransaction(db, (tx) => endSessionsAndLinks(tx, operator.id))
  const reason = `by an invitation, with a ${made.kind}`
  const secret = await completeSignIn(context, { operator, from, by: 'link', reason })
  if (secret === undefined) return { kind: 'used link' } as const
  return { kind: 'signed in', secret } as const
}

/** The session of the operator who acts on their own account. */
export interface OwnSession {
  readonly actor: ConsoleActor
  readonly sessionId: string
}

/** Confirms the operator's identity. Attempts count by session, so that strangers' guesses don't slow the operator. */
export async function confirmByPassword(
  context: OperatorContext,
  own: OwnSession,
  password: string,
  from: RequestSource,
) {
  const given = { email: own.actor.email, password, knownAs: own.sessionId }
  const checked = await checkPassword(context, given, from)
  if (checked.kind === 'valid') await completeStepUp(context, own)
  return checked
}

/** Records the operator's confirmation, which for ten minutes allows actions that need a recent sign-in. */
export async function completeStepUp(
  { db, audit, clock }: OperatorContext,
  { actor, sessionId }: OwnSession,
): Promise<void> {
  await audit.record(actor, { action: 'was asked again' }, clock())
  await setLastAuthenticated(db, sessionId, clock())
}

export const readOwnAccount = async (context: OperatorContext, { id }: ConsoleActor) => ({
  ...(await listCredentials(context.db, id)),
  sessions: await listSessions(context, id),
})

/**
 * Sets the operator's own password, which ends their links and other sessions, or adds a passkey.
 * @returns the reason why the credential was refused, in words; undefined if it was added
 */
export async function addOwnCredential(
  context: OperatorContext,
  { actor, sessionId }: OwnSession,
  make: CredentialMaker,
): Promise<string | undefined> {
  const { db, clock } = context
  authorize(actor, 'change your sign-in', clock())
  const made = await make(actor)
  if (typeof made === 'string') return made
  if (made.kind === 'passkey' && (await findCredential(db, made)) !== undefined) {
    return duplicatePasskeyMessage
  }
  const action = made.kind === 'password' ? 'set a password' : 'added a passkey'
  return runWithAudit(
    context,
    { actor, action },
    (at) => addCredential(db, made, { operatorId: actor.id, at, keptSessionId: sessionId }),
    (fault) => (fault === undefined ? 'done' : `not added: ${fault}`),
  )
}

/**
 * Removes an operator's own passkey, and ends their links and other sessions.
 * @returns false if no passkey has this id
 */
export async function removeOwnPasskey(
  context: OperatorContext,
  { actor, sessionId }: OwnSession,
  id: string,
): Promise<boolean> {
  const { db, clock } = context
  authorize(actor, 'change your sign-in', clock())
  const { passkeys } = await listCredentials(db, actor.id)
  const passkey = passkeys.find((own) => own.id === id)
  if (passkey === undefined) return false
  const added = new Date(passkey.createdAt).toISOString()
  return runWithAudit(context, { actor, action: 'removed a passkey' }, async (_, keep) => {
    await keep({ before: { 'passkey added': added } })
    const removed = await runInTransaction(db, (tx) =>
      removeCredentials(tx, actor.id, { kind: 'passkey', id }, sessionId),
    )
    return removed > 0
  })
}

/** Ends an operator's own session. An unknown session id is not recorded: invented ids could fill the audit log. */
export async function endOwnSession(
  context: OperatorContext,
  actor: ConsoleActor,
  sessionId: string,
): Promise<boolean> {
  const own = await listSessions(context, actor.id)
  const session = own.find(({ id }) => id === sessionId)
  if (session === undefined) return false
  const { beganAt, network } = session
  return runWithAudit(context, { actor, action: 'ended a session' }, async (_, keep) => {
    await keep({ before: { 'session since': new Date(beganAt).toISOString(), network } })
    return endSession(context.db, sessionId, actor.id)
  })
}
