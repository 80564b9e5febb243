import { Hono } from 'hono'
import type { AuditLog } from '#server/operators/audit/audit.ts'
import type { OperatorSessions } from '#server/operators/sessions/operator-sessions.ts'
import type { ConsoleEnv } from './console-env.ts'
import { signInPath } from './security/require-session.ts'
import type { SessionCookie } from './security/session-cookie.ts'

export interface SignOutPorts {
  readonly cookie: SessionCookie
  readonly sessions: Pick<OperatorSessions, 'end'>
  readonly audit: AuditLog
  readonly clock: () => number
}

export const signOut = ({ cookie, sessions, audit, clock }: SignOutPorts) =>
  new Hono<ConsoleEnv>().post('/sign-out', async (c) => {
    const session = c.get('session')
    if (session !== undefined) {
      await sessions.end(session.id, session.operator.id)
      await audit.record(c.get('actor'), { action: 'signed out' }, clock())
    }
    cookie.leave(c)
    // What the browser keeps of the console's pages is nobody's any more.
    c.header('Clear-Site-Data', '"cache", "storage"')
    return c.redirect(signInPath, 303)
  })
