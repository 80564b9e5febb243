import { accountLimit, browserLimit, networkLimit } from '#domain/operator/guessing.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import { findAccount } from './accounts.ts'
import { findByEmailWithHash, findPasswordHash, listPasskeys, setPassword } from './credentials.ts'
import { findLink, redeemLink } from './links.ts'
import type { Browser, ConsoleActor, Operator, OperatorContext } from './operator.ts'
import { hashPassword, isPassword, passwordFault } from './passwords.ts'
import { beginSession, endAllSessions, type SignedInBy, setLastAuthenticated } from './sessions.ts'
import { attemptKey, beginAttempt, clearAttempts, takeBackAttempt } from './sign-in-attempts.ts'

/** Somebody who has proved that they are this operator. */
interface Authenticated {
  readonly operator: Operator
  readonly from: Browser
  /** In words, for the audit log. */
  readonly reason: string
  readonly by: SignedInBy
  /** Now, unless they authenticated earlier, at a provider. Epoch milliseconds. */
  readonly lastAuthenticatedAt?: number
}

/**
 * Records the sign-in and begins a session. Resolves with the browser's secret; undefined where the credential has changed or
 * gone meanwhile.
 */
export async function completeSignIn(
  context: OperatorContext,
  { operator, from, reason, by, lastAuthenticatedAt = context.clock() }: Authenticated,
): Promise<string | undefined> {
  const { audit, clock } = context
  const actor = { ...operator, kind: 'console' as const, lastAuthenticatedAt, ...from }
  const id = await audit.record(actor, { action: 'signed in', reason }, clock())
  const secret = await beginSession(context, operator, from, by, lastAuthenticatedAt)
  if (secret === undefined) {
    await audit.recordOutcome(id, 'refused: this way to sign in had just ended')
  }
  return secret
}

export interface GivenPassword {
  readonly email: string
  readonly password: string
  /**
   * The account's own browser or session that the attempt comes from: its attempts are counted separately. Undefined for a
   * stranger.
   */
  readonly knownAs: string | undefined
}

type PasswordCheck =
  | { readonly kind: 'right'; readonly operator: Operator; readonly hash: string }
  /** Unknown account, wrong password or disabled account: the reply is the same for all three. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }

export type SignInOutcome =
  /** The browser's new secret. */
  { readonly kind: 'in'; readonly secret: string } | Exclude<PasswordCheck, { kind: 'right' }>

export async function signInByPassword(
  context: OperatorContext,
  given: GivenPassword,
  from: Browser,
): Promise<SignInOutcome> {
  const checked = await checkPassword(context, given, from)
  if (checked.kind !== 'right') return checked
  const { operator, hash } = checked
  const by = { kind: 'password', hash } as const
  const secret = await completeSignIn(context, { operator, from, reason: 'by password', by })
  return secret === undefined ? { kind: 'wrong' } : { kind: 'in', secret }
}

/** More failures than mistyping explains. Recorded ever more rarely, since entries are never removed. */
const isSuspicious = (failures: number): boolean =>
  [1, 10, 100, 1000].some((times) => failures === times * accountLimit.free)

/**
 * Checks a password, slowed by account and network, or by the browser where it is known. A wrong one costs the same statements
 * and the same hash whether the account exists or not.
 */
async function checkPassword(
  { db, audit, clock }: OperatorContext,
  { email, password, knownAs }: GivenPassword,
  from: Browser,
): Promise<PasswordCheck> {
  const account = emailAddress(email)
  const own =
    knownAs === undefined
      ? { key: attemptKey('account', account), slowing: accountLimit }
      : { key: attemptKey('browser', account, knownAs), slowing: browserLimit }
  const network =
    knownAs === undefined
      ? [{ key: attemptKey('network', from.network), slowing: networkLimit }]
      : []
  const beganAt = clock()
  const begun = await beginAttempt(db, [own, ...network], beganAt)
  if (begun.kind === 'wait') {
    return { kind: 'wait', seconds: Math.ceil((begun.until - clock()) / 1000) }
  }
  const { operator, hash } = (await findByEmailWithHash(db, account)) ?? {}
  const isRight = await isPassword(password, hash)
  if (operator !== undefined && hash !== undefined && isRight && operator.disabledAt === null) {
    await clearAttempts(db, own.key)
    for (const { key } of network) await takeBackAttempt(db, key, beganAt)
    return { kind: 'right', operator, hash }
  }
  if (operator !== undefined && isSuspicious(begun.failures)) {
    const actor = { ...operator, kind: 'console' as const, lastAuthenticatedAt: 0, ...from }
    const reason = `${begun.failures} wrong passwords`
    const entry = { action: 'was guessed at', reason } as const
    // Not awaited: the wait would reveal that the account exists.
    void audit.record(actor, entry, clock()).catch(() => undefined)
  }
  return { kind: 'wrong' }
}

/** Uses up a link for one sign-in. Resolves with the browser's secret; undefined where the link isn't valid any more. */
export async function signInByLink(
  context: OperatorContext,
  code: string,
  from: Browser,
): Promise<string | undefined> {
  const { db, clock } = context
  const id = await redeemLink(db, code, 'sign-in', clock())
  const operator = id === undefined ? undefined : await findAccount(db, id)
  if (operator === undefined || operator.disabledAt !== null) return undefined
  return completeSignIn(context, { operator, from, reason: 'by a link', by: { kind: 'link' } })
}

export type AcceptOutcome =
  | { readonly kind: 'in'; readonly secret: string }
  /** In words, for the password's field; the invitation stays valid. */
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'spent' }

/** The operator that an invitation is for; undefined where it isn't valid any more. */
export async function findInvited(
  { db, clock }: OperatorContext,
  code: string,
): Promise<Operator | undefined> {
  const id = await findLink(db, code, 'invitation', clock())
  return id === undefined ? undefined : findAccount(db, id)
}

/**
 * Uses up an invitation, sets the chosen credential, ends the operator's other sessions and links, and signs in.
 * @param set resolves with whether it was set
 */
export async function acceptInvitation(
  context: OperatorContext,
  { code, from, reason }: { code: string; from: Browser; reason: string },
  set: (operator: Operator) => Promise<boolean>,
): Promise<AcceptOutcome> {
  const { db, clock } = context
  const id = await redeemLink(db, code, 'invitation', clock())
  const operator = id === undefined ? undefined : await findAccount(db, id)
  if (operator === undefined || operator.disabledAt !== null) return { kind: 'spent' }
  if (!(await set(operator))) return { kind: 'spent' }
  await endAllSessions(db, operator.id)
  const secret = await completeSignIn(context, { operator, from, reason, by: { kind: 'link' } })
  return secret === undefined ? { kind: 'spent' } : { kind: 'in', secret }
}

/** A refused password doesn't use the invitation up. */
export async function acceptInvitationByPassword(
  context: OperatorContext,
  code: string,
  password: string,
  from: Browser,
): Promise<AcceptOutcome> {
  const operator = await findInvited(context, code)
  if (operator === undefined) return { kind: 'spent' }
  const fault = await passwordFault(password, operator.email)
  if (fault !== undefined) return { kind: 'fault', fault }
  const hash = await hashPassword(password)
  const reason = 'by an invitation, with a password'
  return acceptInvitation(context, { code, from, reason }, ({ id }) =>
    setPassword(context.db, id, { hash, at: context.clock(), keptSessionId: undefined }),
  )
}

/** An operator in one of their sessions. */
export interface OwnSession {
  readonly actor: ConsoleActor
  readonly sessionId: string
}

export const confirmationMethods = async (
  { db }: Pick<OperatorContext, 'db'>,
  { id }: ConsoleActor,
) => ({
  hasPassword: (await findPasswordHash(db, id)) !== undefined,
  hasPasskey: (await listPasskeys(db, id)).length > 0,
})

/** Attempts are counted by session, so that other people's guesses in the network don't slow it. */
export async function confirmByPassword(
  context: OperatorContext,
  own: OwnSession,
  password: string,
  from: Browser,
): Promise<PasswordCheck> {
  const given = { email: own.actor.email, password, knownAs: own.sessionId }
  const checked = await checkPassword(context, given, from)
  if (checked.kind === 'right') await completeConfirmation(context, own)
  return checked
}

/** Records that the operator has proved it is still them: actions that need a recent sign-in are allowed for ten minutes. */
export async function completeConfirmation(
  { db, audit, clock }: OperatorContext,
  { actor, sessionId }: OwnSession,
): Promise<void> {
  await audit.record(actor, { action: 'was asked again' }, clock())
  await setLastAuthenticated(db, sessionId, clock())
}
