import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { hostPrefix } from '#contract/own-api.ts'
import {
  knownBrowserId,
  knownBrowserLifetime,
  newKnownBrowser,
} from '#server/operators/known-browsers.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from '../console-env.ts'

const day = 24 * 60 * 60

/**
 * Reads and writes the console's cookies. Over https their names have a prefix that no neighboring host can set.
 * `SameSite=Lax` lets a link in a message open its page; the origin of requests that write is checked in any case.
 */
export function makeSessionCookie(origin: () => string) {
  const isSecure = () => origin().startsWith('https:')
  const nameOf = (name: string) => (isSecure() ? hostPrefix + name : name)
  const attributes = (seconds: number) => ({
    path: '/',
    httpOnly: true,
    sameSite: 'Lax' as const,
    secure: isSecure(),
    maxAge: seconds,
  })
  const read = (c: ConsoleContext, name: string): string => getCookie(c, nameOf(name)) ?? ''
  const write = (c: ConsoleContext, name: string, value: string, seconds: number) =>
    setCookie(c, nameOf(name), value, attributes(seconds))
  const drop = (c: ConsoleContext, name: string) => write(c, name, '', 0)
  /** Returns the page that was requested before the sign-in. It is in a cookie, because proxies log addresses. */
  const takeReturnPath = (c: ConsoleContext): string => {
    const path = read(c, 'console-wanted')
    if (path !== '') drop(c, 'console-wanted')
    return isOwnPath(path) ? path : '/'
  }
  return {
    read: (c: ConsoleContext) => read(c, 'console'),
    write: (c: ConsoleContext, secret: string) => write(c, 'console', secret, day),
    /** Gives the browser its new secret, and redirects to the page that was requested before the sign-in. */
    signIn: (c: ConsoleContext, secret: string) => {
      const path = takeReturnPath(c)
      write(c, 'console', secret, day)
      c.set('secret', secret)
      return c.redirect(path, 303)
    },
    signOut: (c: ConsoleContext) => drop(c, 'console'),
    takeReturnPath,
    keepReturnPath: (c: ConsoleContext, path: string) => write(c, 'console-wanted', path, 600),
    /** The cookie of a known browser: see known-browsers.ts. */
    known: (c: ConsoleContext) => read(c, 'console-known'),
    keepKnown: (c: ConsoleContext, value: string) =>
      write(c, 'console-known', value, knownBrowserLifetime),
    /** Returns and deletes the ticket of a sign-in at the single sign-on provider. */
    takeTicket: (c: ConsoleContext): string => {
      const ticket = read(c, 'console-ticket')
      drop(c, 'console-ticket')
      return ticket
    },
    keepTicket: (c: ConsoleContext, ticket: string) => write(c, 'console-ticket', ticket, 600),
  }
}

export type SessionCookie = ReturnType<typeof makeSessionCookie>

/** Browsers treat `//host` and `/\host` as addresses of other sites. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\p{Cc}]*$/u.test(path)

/**
 * Returns the id by which a known browser's attempts are counted; undefined if the browser hasn't signed in to the
 * account before.
 */
export const knownBrowserOf = (
  { cookie, operators }: ConsoleParts,
  c: ConsoleContext,
  email: string,
): Promise<string | undefined> => knownBrowserId(operators, emailAddress(email), cookie.known(c))

/** Marks each browser with a session as known, however its operator signed in. */
export const rememberBrowser = (parts: ConsoleParts) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    await next()
    const email = c.get('session')?.operator.email
    if (email === undefined || (await knownBrowserOf(parts, c, email)) !== undefined) return
    parts.cookie.keepKnown(c, await newKnownBrowser(parts.operators, email))
  })
