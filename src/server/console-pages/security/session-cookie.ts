import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { hostCookiePrefix } from '#contract/api-constants.ts'
import {
  knownBrowserLifetime,
  makeKnownBrowserCookie,
  readKnownBrowserId,
} from '#server/operators/known-browsers.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '../console-env.ts'

const day = 24 * 60 * 60

const knownCookie = 'console-known'

/**
 * Reads and writes the console's cookies. Over https, the cookies' name prefix prevents neighboring hosts from setting
 * them. `SameSite=Lax` lets a link in a message open its page; requests that write have their origin checked anyway.
 */
export function makeSessionCookie(origin: () => string) {
  const isSecure = () => origin().startsWith('https:')
  const nameOf = (name: string) => (isSecure() ? hostCookiePrefix + name : name)
  const read = (c: ConsoleContext, name: string): string => getCookie(c, nameOf(name)) ?? ''
  const write = (c: ConsoleContext, name: string, value: string, seconds: number) =>
    setCookie(c, nameOf(name), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure(),
      maxAge: seconds,
    })
  /** Reads a cookie and deletes it. */
  const take = (c: ConsoleContext, name: string): string => {
    const value = read(c, name)
    if (value !== '') write(c, name, '', 0)
    return value
  }
  /** Returns the page that was requested before the sign-in. A cookie stores its path, because proxies log URLs. */
  const takeReturnPath = (c: ConsoleContext): string => {
    const path = take(c, 'console-wanted')
    return isLocalPath(path) ? path : '/'
  }
  return {
    read,
    write,
    take,
    readSecret: (c: ConsoleContext) => read(c, 'console'),
    writeSecret: (c: ConsoleContext, secret: string) => write(c, 'console', secret, day),
    /** Gives the browser its new secret, and redirects to the page that was requested before the sign-in. */
    signIn: (c: ConsoleContext, secret: string) => {
      const path = takeReturnPath(c)
      take(c, 'console-left')
      write(c, 'console', secret, day)
      c.set('secret', secret)
      return c.redirect(path, 303)
    },
    /** After a sign-out, the provider must ask for a login, because another person may use this browser next. */
    signOut: (c: ConsoleContext) => {
      take(c, 'console')
      write(c, 'console-left', 'yes', day)
    },
    hasSignedOut: (c: ConsoleContext) => read(c, 'console-left') !== '',
    takeReturnPath,
    keepReturnPath: (c: ConsoleContext, path: string) => write(c, 'console-wanted', path, 600),
  }
}

export type SessionCookie = ReturnType<typeof makeSessionCookie>

/** Browsers treat `//host` and `/\host` as addresses of other sites. */
export const isLocalPath = (path: string): boolean => /^\/(?![/\\])[^\p{Cc}]*$/u.test(path)

/**
 * Returns the id that a known browser's sign-in attempts are counted under; undefined if the browser hasn't signed in
 * to the account before.
 */
export const findKnownBrowser = (
  { cookie, operators }: ConsoleServices,
  c: ConsoleContext,
  email: string,
): Promise<string | undefined> =>
  readKnownBrowserId(operators, toEmailAddress(email), cookie.read(c, knownCookie))

/** Marks each browser with a session as known, however its operator signed in. */
export const rememberBrowser = (parts: ConsoleServices) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    await next()
    const email = c.get('session')?.operator.email
    if (email === undefined || (await findKnownBrowser(parts, c, email)) !== undefined) return
    const known = await makeKnownBrowserCookie(parts.operators, email)
    parts.cookie.write(c, knownCookie, known, knownBrowserLifetime)
  })
