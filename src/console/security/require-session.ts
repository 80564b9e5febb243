import { createMiddleware } from 'hono/factory'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { toConsoleActor } from '#server/operators/operator.ts'
import { makeSecret } from '#server/operators/secrets.ts'
import { extendSession, findSession } from '#server/operators/sessions.ts'
import { sendProblem } from '#server/platform/http/replies.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import { toNetwork } from '#server/platform/http/visitor-ip.ts'
import type { ConsoleCookies } from './console-cookies.ts'
import { isSafeMethod } from './same-origin-requests.ts'

export const signInPath = '/sign-in'
/** Requests whose path has this prefix get JSON instead of pages. */
const apiPrefix = '/api/'

/** Whether a script sent the request, and not the operator. Such a request doesn't extend the operator's session. */
export const isInBackground = (c: ConsoleContext): boolean =>
  c.req.path.startsWith(apiPrefix) || c.req.header('x-console-live') !== undefined

/** Finds the request's session. A browser without a secret gets a secret when it opens the sign-in page. */
export const readSession = ({ cookie, operators, visitorIp }: ConsoleServices) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    const cookieSecret = cookie.readSecret(c)
    const find = isInBackground(c) ? findSession : extendSession
    const session = cookieSecret === '' ? undefined : await find(operators, cookieSecret)
    const isSigningIn = c.req.path.startsWith(signInPath)
    const secret =
      cookieSecret === '' && isSigningIn && isSafeMethod(c.req.method) ? makeSecret() : cookieSecret
    c.set('secret', secret)
    c.set('session', session)
    const network = toNetwork(visitorIp(toRequestHead(c)))
    c.set('source', { network, browser: c.req.header('user-agent') ?? '' })
    if (session !== undefined) {
      const actor = toConsoleActor(session.operator, network, session.lastAuthenticatedAt)
      c.set('actor', actor)
      c.set('ownSession', { actor, sessionId: session.id })
    }
    await next()
    // If a sign-in has set another secret during this request, the sign-in's secret stays.
    if (secret !== cookieSecret && c.get('secret') === secret) cookie.writeSecret(c, secret)
  })

/** Without a session, redirects a request for a page to the sign-in page, and refuses any other request. */
export const requireSession = (cookie: ConsoleCookies) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    if (c.get('session') !== undefined) return next()
    const { pathname, search } = new URL(c.req.url)
    if (!isSafeMethod(c.req.method) || pathname.startsWith(apiPrefix)) {
      return sendProblem(c, 401, 'Your session has ended. Nothing was done. Sign in and try again.')
    }
    cookie.keepReturnPath(c, pathname + search)
    return c.redirect(signInPath, 303)
  })
