import { runWithAudit } from './audit.ts'
import { authorize } from './authorize.ts'
import { addCredential, listCredentials, removeCredentials } from './credentials.ts'
import type { ConsoleActor, OperatorContext } from './operator.ts'
import { endSession, listSessions } from './sessions.ts'
import type { CredentialMaker, OwnSession } from './sign-in.ts'

export const readOwnAccount = async (context: OperatorContext, { id }: ConsoleActor) => ({
  ...(await listCredentials(context.db, id)),
  sessions: await listSessions(context, id),
})

/**
 * Sets the operator's own password, which ends their links and other sessions, or adds a passkey.
 * @returns the reason why the credential was refused, in words; undefined if it was added
 */
export async function addOwnCredential(
  { db, audit, clock }: OperatorContext,
  { actor, sessionId }: OwnSession,
  make: CredentialMaker,
): Promise<string | undefined> {
  authorize(actor, 'change own sign-in', clock())
  const made = await make(actor)
  if (typeof made === 'string') return made
  const action = made.kind === 'password' ? 'set a password' : 'added a passkey'
  const added = { operatorId: actor.id, at: clock(), keptSessionId: sessionId }
  return runWithAudit(
    audit,
    { actor, at: clock(), action },
    () => addCredential(db, made, added),
    (fault) => (fault === undefined ? 'done' : `not added: ${fault}`),
  )
}

/**
 * Removes the operator's own passkey, and ends their links and other sessions.
 * @returns false if the operator has no such passkey
 */
export async function removeOwnPasskey(
  { db, audit, clock }: OperatorContext,
  { actor, sessionId }: OwnSession,
  id: string,
): Promise<boolean> {
  authorize(actor, 'change own sign-in', clock())
  const { passkeys } = await listCredentials(db, actor.id)
  if (!passkeys.some((own) => own.id === id)) return false
  return runWithAudit(
    audit,
    { actor, at: clock(), action: 'removed a passkey' },
    async () => (await removeCredentials(db, actor.id, { kind: 'passkey', id }, sessionId)) > 0,
    describeResult,
  )
}

/**
 * Ends one of the operator's own sessions. An unknown session id is not recorded, because invented ids could fill the
 * audit log.
 */
export async function endOwnSession(
  context: OperatorContext,
  actor: ConsoleActor,
  sessionId: string,
): Promise<boolean> {
  const { db, audit, clock } = context
  const own = await listSessions(context, actor.id)
  if (!own.some(({ id }) => id === sessionId)) return false
  const entry = { actor, at: clock(), action: 'ended a session' } as const
  return runWithAudit(audit, entry, () => endSession(db, sessionId, actor.id), describeResult)
}

const describeResult = (isDone: boolean): string => (isDone ? 'done' : 'nothing was changed')
