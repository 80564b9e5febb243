import { accountLimit, browserLimit, networkLimit } from '#domain/operator/guessing.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import {
  addCredential,
  alreadyRegistered,
  findByEmailWithPassword,
  findCredential,
  type NewCredential,
} from './credentials.ts'
import { findLink, redeemLink } from './links.ts'
import {
  type Browser,
  type ConsoleActor,
  consoleActor,
  type Operator,
  type OperatorContext,
} from './operator.ts'
import { isPassword } from './passwords.ts'
import { beginSession, endAllSessions, type SignedInBy, setLastAuthenticated } from './sessions.ts'
import { attemptKey, beginAttempt, clearAttempts, undoAttempt } from './sign-in-attempts.ts'

/** Somebody who has proved that they are this operator. */
interface Authenticated {
  readonly operator: Operator
  readonly from: Browser
  readonly by: SignedInBy
  /** In words, for the audit log. */
  readonly reason?: string
  /** Now, unless they authenticated earlier, at a provider. Epoch milliseconds. */
  readonly lastAuthenticatedAt?: number
}

/**
 * Records the sign-in and begins a session. Resolves with the browser's secret; undefined where the credential has changed or
 * gone meanwhile.
 */
export async function completeSignIn(
  context: OperatorContext,
  {
    operator,
    from,
    by,
    reason = by === 'link' ? 'by a link' : `by ${by.kind}`,
    lastAuthenticatedAt = context.clock(),
  }: Authenticated,
): Promise<string | undefined> {
  const { audit, clock } = context
  const actor = consoleActor(operator, from.network, lastAuthenticatedAt)
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
  const by = { kind: 'password', id: operator.id, secret: hash } as const
  const secret = await completeSignIn(context, { operator, from, by })
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
  const { operator, hash } = (await findByEmailWithPassword(db, account)) ?? {}
  const isRight = await isPassword(password, hash)
  if (operator?.disabledAt === null && hash && isRight) {
    await clearAttempts(db, own.key)
    for (const { key } of network) await undoAttempt(db, key, beganAt)
    return { kind: 'right', operator, hash }
  }
  if (operator !== undefined && isSuspicious(begun.failures)) {
    const actor = consoleActor(operator, from.network)
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
  const operator = await redeemLink(context.db, code, 'sign-in', context.clock())
  return operator && completeSignIn(context, { operator, from, by: 'link' })
}

export type AcceptOutcome =
  | { readonly kind: 'in'; readonly secret: string }
  /** In words; the invitation stays valid. */
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'spent' }

/** Makes a credential from what an operator typed or their passkey answered, or says in words why it is refused. */
export type MakeCredential = (
  operator: Pick<Operator, 'id' | 'email'>,
) => Promise<NewCredential | string>

/**
 * Uses up an invitation, adds the chosen credential, ends the operator's other sessions and links, and signs in. A refused
 * credential doesn't use the invitation up.
 */
export async function acceptInvitation(
  context: OperatorContext,
  code: string,
  make: MakeCredential,
  from: Browser,
): Promise<AcceptOutcome> {
  const { db, clock } = context
  const invited = await findLink(db, code, 'invitation', clock())
  if (invited === undefined) return { kind: 'spent' }
  const made = await make(invited)
  if (typeof made === 'string') return { kind: 'fault', fault: made }
  if (made.kind === 'passkey' && (await findCredential(db, made)) !== undefined) {
    return { kind: 'fault', fault: alreadyRegistered }
  }
  const operator = await redeemLink(db, code, 'invitation', clock())
  if (operator === undefined) return { kind: 'spent' }
  const added = { operatorId: operator.id, at: clock() }
  if ((await addCredential(db, made, added)) !== undefined) return { kind: 'spent' }
  await endAllSessions(db, operator.id)
  const reason = `by an invitation, with a ${made.kind}`
  const secret = await completeSignIn(context, { operator, from, by: 'link', reason })
  return secret === undefined ? { kind: 'spent' } : { kind: 'in', secret }
}

/** An operator in one of their sessions. */
export interface OwnSession {
  readonly actor: ConsoleActor
  readonly sessionId: string
}

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
