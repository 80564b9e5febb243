import { type AuditLog, audited } from './audit/audit.ts'
import { authorise } from './authorise.ts'
import type { ConsoleActor } from './operator.ts'
import type { OperatorLinks } from './operator-links.ts'
import type { KeepSessions } from './sessions/keep-sessions.ts'
import type { OperatorSessions, Session } from './sessions/operator-sessions.ts'
import type { OperatorCredentials, Passkey } from './sign-in/operator-credentials.ts'
import { passwordFault } from './sign-in/password-fault.ts'
import { hashPassword } from './sign-in/password-hash.ts'

interface OwnAccountPorts {
  readonly links: Pick<OperatorLinks, 'withdraw'>
  readonly credentials: OperatorCredentials
  readonly sessions: OperatorSessions
  readonly keepSessions: KeepSessions
  readonly audit: AuditLog
  readonly clock: () => number
}

export interface OwnAccount {
  readonly hasPassword: boolean
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly Session[]
}

/** What each operator may change of their own. Whoever changes how one signs in ends all other sessions. */
export function makeOwnAccount({
  links,
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
  ): Promise<Result> => audited(audit, { actor, at: clock(), action }, run, () => 'done')
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
      await act(actor, 'set a password', async () => {
        await credentials.setPassword(actor.id, hash, clock())
        await links.withdraw(actor.id, 'sign-in')
        await sessions.endOthers(actor.id, sessionId)
      })
      return undefined
    },
    removePasskey: async (actor: ConsoleActor, passkeyId: string): Promise<boolean> => {
      authorise(actor, 'change own sign-in', clock())
      const own = await credentials.passkeys(actor.id)
      if (!own.some(({ id }) => id === passkeyId)) return false
      return act(actor, 'removed a passkey', () => credentials.removePasskey(passkeyId, actor.id))
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
