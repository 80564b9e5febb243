import { createMiddleware } from 'hono/factory'
import { type Browser, consoleActor } from '#server/operators/operator.ts'
import { newSecret } from '#server/operators/secrets.ts'
import { findSession, touchSession } from '#server/operators/sessions.ts'
import { problem } from '#server/platform/http/replies.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import { networkOf, type VisitorIp } from '#server/platform/http/visitor-ip.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from '../console-env.ts'
import { isRead } from './same-origin-requests.ts'
import type { SessionCookie } from './session-cookie.ts'

export const signInPath = '/sign-in'
/** Calls answer in JSON, pages in pages. */
const callPrefix = '/api/'
/** The stream of live updates is a call, too. */
export const eventsPath = '/events'
/** Marks what a page requests by itself, without its operator. */
export const backgroundRequestHeader = 'x-console-live'

/** Finds the session. A browser without a secret gets one when it opens the sign-in page. */
export const readSession = ({ cookie, operators, visitorIp }: ConsoleParts) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    const known = cookie.read(c)
    const isByItself =
      c.req.path === eventsPath || c.req.header(backgroundRequestHeader) !== undefined
    const find = isByItself ? findSession : touchSession
    const session = known === '' ? undefined : await find(operators, known)
    const isSigningIn = c.req.path.startsWith(signInPath)
    const secret = known === '' && isSigningIn && isRead(c.req.method) ? newSecret() : known
    c.set('secret', secret)
    c.set('session', session)
    if (session !== undefined) {
      const network = networkOf(visitorIp(headOf(c)))
      c.set('actor', consoleActor(session.operator, network, session.lastAuthenticatedAt))
    }
    await next()
    // A sign-in has set another secret meanwhile.
    if (secret !== known && c.get('secret') === secret) cookie.write(c, secret)
  })

/** Without a session a page leads to the sign-in and back, and a call is refused. */
export const requireSession = (cookie: SessionCookie) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    if (c.get('session') !== undefined) return next()
    const { pathname, search } = new URL(c.req.url)
    if (!isRead(c.req.method) || pathname.startsWith(callPrefix) || pathname === eventsPath) {
      return problem(c, 401, 'Your session has ended. Nothing was done. Sign in and try again.')
    }
    cookie.keepReturnPath(c, pathname + search)
    return c.redirect(signInPath, 303)
  })

/** Where a request comes from, as sessions and the audit log record it. */
export const makeBrowserOf =
  (visitorIp: VisitorIp) =>
  (c: ConsoleContext): Browser => ({
    network: networkOf(visitorIp(headOf(c))),
    browser: c.req.header('user-agent') ?? '',
  })

export type BrowserOf = ReturnType<typeof makeBrowserOf>
