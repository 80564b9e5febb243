import { audited } from './audit.ts'
import { authorise } from './authorise.ts'
import {
  deletePasskey,
  findPasswordHash,
  listPasskeys,
  type Passkey,
  setPassword,
} from './credentials.ts'
import type { ConsoleActor, OperatorContext } from './operator.ts'
import { hashPassword, passwordFault } from './passwords.ts'
import { endSession, listSessions, type Session } from './sessions.ts'
import type { OwnSession } from './sign-in.ts'

export interface OwnAccount {
  readonly hasPassword: boolean
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly Session[]
}

export const readOwnAccount = async (
  context: OperatorContext,
  { id }: ConsoleActor,
): Promise<OwnAccount> => ({
  hasPassword: (await findPasswordHash(context.db, id)) !== undefined,
  passkeys: await listPasskeys(context.db, id),
  sessions: await listSessions(context, id),
})

/**
 * Sets the operator's own password, and ends their links and other sessions.
 * @returns the reason why it was refused, in words; undefined where it was set
 */
export async function setOwnPassword(
  context: OperatorContext,
  { actor, sessionId }: OwnSession,
  password: string,
): Promise<string | undefined> {
  const { db, clock } = context
  authorise(actor, 'change own sign-in', clock())
  const fault = await passwordFault(password, actor.email)
  if (fault !== undefined) return fault
  const hash = await hashPassword(password)
  const isSet = await recorded(context, actor, 'set a password', () =>
    setPassword(db, actor.id, { hash, at: clock(), keptSessionId: sessionId }),
  )
  return isSet ? undefined : 'The password was not set. Try again.'
}

/**
 * Removes the operator's own passkey, and ends their links and other sessions.
 * @returns false where they have no such passkey
 */
export async function removeOwnPasskey(
  context: OperatorContext,
  { actor, sessionId }: OwnSession,
  passkeyId: string,
): Promise<boolean> {
  const { db, clock } = context
  authorise(actor, 'change own sign-in', clock())
  const own = await listPasskeys(db, actor.id)
  if (!own.some(({ id }) => id === passkeyId)) return false
  return recorded(context, actor, 'removed a passkey', () =>
    deletePasskey(db, passkeyId, { operatorId: actor.id, keptSessionId: sessionId }),
  )
}

/** Recorded only where there is such a session, since invented ids could otherwise fill the audit log. */
export async function endOwnSession(
  context: OperatorContext,
  actor: ConsoleActor,
  sessionId: string,
): Promise<boolean> {
  const own = await listSessions(context, actor.id)
  if (!own.some(({ id }) => id === sessionId)) return false
  return recorded(context, actor, 'ended a session', () =>
    endSession(context.db, sessionId, actor.id),
  )
}

const recorded = (
  { audit, clock }: OperatorContext,
  actor: ConsoleActor,
  action: 'set a password' | 'removed a passkey' | 'ended a session',
  run: () => Promise<boolean>,
): Promise<boolean> =>
  audited(audit, { actor, at: clock(), action }, run, (isDone) =>
    isDone ? 'done' : 'nothing was changed',
  )
