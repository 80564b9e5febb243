import type { ConsoleActor } from '../operator.ts'
import type { OperatorCredentials } from '../sign-in/operator-credentials.ts'
import { makeCheckPassword, type PasswordPorts } from '../sign-in/sign-in-by-password.ts'
import type { Browser } from './keep-sessions.ts'
import type { OperatorSessions } from './operator-sessions.ts'

interface ConfirmPorts extends PasswordPorts {
  readonly credentials: OperatorCredentials
  readonly sessions: Pick<OperatorSessions, 'strong'>
}

export interface Own {
  readonly actor: ConsoleActor
  readonly sessionId: string
}

/** That it is still the operator who sits there: what cannot be undone is done for the ten minutes that follow. */
export function makeConfirmOwn(ports: ConfirmPorts) {
  const { credentials, sessions, audit, clock } = ports
  const checkPassword = makeCheckPassword(ports)
  const confirmed = async ({ actor, sessionId }: Own): Promise<void> => {
    await audit.record(actor, { action: 'was asked again' }, clock())
    await sessions.strong(sessionId, clock())
  }
  return {
    waysOf: async ({ id }: ConsoleActor) => ({
      hasPassword: (await credentials.password(id)) !== undefined,
      hasPasskey: (await credentials.passkeys(id)).length > 0,
    }),
    byPassword: async (own: Own, password: string, from: Browser) => {
      // Counted by the session: others' guesses in its network do not slow it.
      const given = { email: own.actor.email, password, knownAs: own.sessionId }
      const checked = await checkPassword(given, from)
      if (checked.kind === 'right') await confirmed(own)
      return checked
    },
    confirmed,
  }
}

export type ConfirmOwn = ReturnType<typeof makeConfirmOwn>
