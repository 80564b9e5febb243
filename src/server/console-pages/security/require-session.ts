import { createMiddleware } from 'hono/factory'
import { newSecret } from '#server/operators/secrets.ts'
import { actorOf, type KeepSessions } from '#server/operators/sessions/keep-sessions.ts'
import { networkOf } from '#server/platform/http/network-of.ts'
import { problem } from '#server/platform/http/problem.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/security/visitor-ip.ts'
import type { ConsoleEnv } from '../console-env.ts'
import { isRead } from './own-requests.ts'
import type { SessionCookie } from './session-cookie.ts'

export const signInPath = '/sign-in'
/** Calls answer in JSON, pages in pages. */
const callPrefix = '/api/'
/** What open pages are told: a call, too. */
export const eventsPath = '/events'
/** What a page asks for by itself, without its operator. */
export const byItselfHeader = 'x-console-live'

interface SessionPorts {
  readonly cookie: SessionCookie
  readonly keepSessions: KeepSessions
  readonly visitorIp: VisitorIp
}

/** Finds out who asks; a browser that has no secret yet is given one when it asks for the sign-in. */
export const findSession = ({ cookie, keepSessions, visitorIp }: SessionPorts) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    const known = cookie.read(c)
    const isByItself = c.req.path === eventsPath || c.req.header(byItselfHeader) !== undefined
    const find = isByItself ? keepSessions.find : keepSessions.findInUse
    const session = known === '' ? undefined : await find(known)
    const isSigningIn = c.req.path.startsWith(signInPath)
    const secret = known === '' && isSigningIn && isRead(c.req.method) ? newSecret() : known
    c.set('secret', secret)
    c.set('session', session)
    if (session !== undefined) c.set('actor', actorOf(session, networkOf(visitorIp(headOf(c)))))
    await next()
    // Unless it was signed in meanwhile: that has set another one.
    if (secret !== known && c.get('secret') === secret) cookie.write(c, secret)
  })

/** Without a session a page leads to the sign-in and back, and a call is refused. */
export const requireSession = (cookie: SessionCookie) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    if (c.get('session') !== undefined) return next()
    const { pathname, search } = new URL(c.req.url)
    if (!isRead(c.req.method) || pathname.startsWith(callPrefix) || pathname === eventsPath) {
      return problem(
        c,
        401,
        'Sign in first: this session has ended, or there was none. Nothing was done.',
      )
    }
    cookie.want(c, pathname + search)
    return c.redirect(signInPath, 303)
  })
