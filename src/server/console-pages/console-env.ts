import type { Context } from 'hono'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { OpenSession } from '#server/operators/sessions/operator-sessions.ts'

/** What a request brings with it once it is known who asks. */
export interface ConsoleEnv {
  Variables: {
    /** The secret in the cookie: a session's, or of a browser that is not signed in. */
    secret: string
    session: OpenSession | undefined
    actor: ConsoleActor
  }
}

export type ConsoleContext = Context<ConsoleEnv>
