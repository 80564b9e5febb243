import type { Context } from 'hono'
import type { ConsoleActor, SignInContext } from '#server/operators/operator.ts'
import type { OpenSession } from '#server/operators/sessions.ts'
import type { SingleSignOn } from '#server/operators/single-sign-on.ts'
import type { BrowserOf } from './security/require-session.ts'
import type { SessionCookie } from './security/session-cookie.ts'
import type { ShellOf } from './shell-of.ts'

/** A request's context once its session has been looked up. */
export interface ConsoleEnv {
  Variables: {
    /** The secret in the cookie: a session's, or that of a browser that is not signed in. */
    secret: string
    session: OpenSession | undefined
    actor: ConsoleActor
  }
}

export type ConsoleContext = Context<ConsoleEnv>

/** The functions that the pages about operators call. */
export interface OperatorPagesParts {
  readonly operators: SignInContext
  /** Undefined where it is not set up. */
  readonly singleSignOn: SingleSignOn | undefined
  readonly cookie: SessionCookie
  readonly shellOf: ShellOf
  readonly browserOf: BrowserOf
}

/** The operator in their session. */
export const ownSession = (c: ConsoleContext) => ({
  actor: c.get('actor'),
  sessionId: c.get('session')?.id ?? '',
})
