import { type AuditLog, audited } from './audit/audit.ts'
import { authorise } from './authorise.ts'
import type { ConsoleActor } from './operator.ts'
import type { KeepSessions } from './sessions/keep-sessions.ts'
import type { OperatorSessions, Session } from './sessions/operator-sessions.ts'
import type { OperatorCredentials, Passkey } from './sign-in/operator-credentials.ts'
import { passwordFault } from './sign-in/password-fault.ts'
import { hashPassword } from './sign-in/password-hash.ts'

interface OwnAccountPorts {
  readonly credentials: OperatorCredentials
  readonly sessions: Pick<OperatorSessions, 'end'>
  readonly keepSessions: KeepSessions
  readonly audit: AuditLog
  readonly clock: () => number
}

export interface OwnAccount {
  readonly hasPassword: boolean
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly Session[]
}

/** What each operator may change of their own. To change a password or remove a passkey ends all other sessions, and links. */
export function makeOwnAccount({
  credentials,
  sessions,
  keepSessions,
  audit,
  clock,
}: OwnAccountPorts) {
  const act = async <Result>(
    actor: ConsoleActor,
    action: 'set a password' | 'removed a passkey' | 'ended a session',
    run: () => Promise<Result>,
  ): Promise<Result> =>
    audited(audit, { actor, at: clock(), action }, run, (result) =>
      result === false ? 'nothing was changed' : 'done',
    )
  return {
    read: async ({ id }: ConsoleActor): Promise<OwnAccount> => ({
      hasPassword: (await credentials.password(id)) !== undefined,
      passkeys: await credentials.passkeys(id),
      sessions: await keepSessions.listOf(id),
    }),
    /** Resolves with what is wrong with it, in words; undefined where it was set. */
    setPassword: async (
      actor: ConsoleActor,
      password: string,
      sessionId: string,
    ): Promise<string | undefined> => {
      authorise(actor, 'change own sign-in', clock())
      const fault = await passwordFault(password, actor.email)
      if (fault !== undefined) return fault
      const hash = await hashPassword(password)
      const isSet = await act(actor, 'set a password', () =>
        credentials.setPassword(actor.id, { hash, at: clock(), keptSessionId: sessionId }),
      )
      return isSet ? undefined : 'The password was not set. Please try again.'
    },
    /** False where they have no such passkey. */
    removePasskey: async (
      actor: ConsoleActor,
      passkeyId: string,
      sessionId: string,
    ): Promise<boolean> => {
      authorise(actor, 'change own sign-in', clock())
      const own = await credentials.passkeys(actor.id)
      if (!own.some(({ id }) => id === passkeyId)) return false
      return act(actor, 'removed a passkey', () =>
        credentials.removePasskey(passkeyId, actor.id, sessionId),
      )
    },
    /** Written down where there is one: what never was would fill an audit that nothing is removed from. */
    endSession: async (actor: ConsoleActor, sessionId: string): Promise<boolean> => {
      const own = await keepSessions.listOf(actor.id)
      if (!own.some(({ id }) => id === sessionId)) return false
      return act(actor, 'ended a session', () => sessions.end(sessionId, actor.id))
    },
  }
}

export type OwnAccountCase = ReturnType<typeof makeOwnAccount>
