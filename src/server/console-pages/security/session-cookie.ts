import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { hostPrefix } from '#contract/own-api.ts'
import {
  knownBrowserCookie,
  knownBrowserId,
  knownBrowserLifetime,
  renewedKnownBrowser,
} from '#server/operators/known-browsers.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from '../console-env.ts'

const day = 24 * 60 * 60

/**
 * The console's cookies. Over https their names have a prefix that no neighboring host can set. `Lax` lets a link in a message
 * open its page; requests that write are checked for their origin in any case.
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
  /** The page that was requested before the sign-in. A cookie, since proxies log addresses. */
  const takeReturnPath = (c: ConsoleContext): string => {
    const path = read(c, 'console-wanted')
    if (path !== '') drop(c, 'console-wanted')
    return isOwnPath(path) ? path : '/'
  }
  return {
    read: (c: ConsoleContext) => read(c, 'console'),
    write: (c: ConsoleContext, secret: string) => write(c, 'console', secret, day),
    /** Gives the browser its new secret, and leads to the page that was requested. */
    signIn: (c: ConsoleContext, secret: string) => {
      const path = takeReturnPath(c)
      drop(c, 'console-left')
      write(c, 'console', secret, day)
      c.set('secret', secret)
      return c.redirect(path, 303)
    },
    /** After a sign-out the provider asks who it is: the next person at this browser may be another one. */
    signOut: (c: ConsoleContext) => {
      drop(c, 'console')
      write(c, 'console-left', 'yes', day)
    },
    hasSignedOut: (c: ConsoleContext) => read(c, 'console-left') !== '',
    takeReturnPath,
    keepReturnPath: (c: ConsoleContext, path: string) => write(c, 'console-wanted', path, 600),
    /** Cookies of known browsers: see known-browsers.ts. */
    known: (c: ConsoleContext, name: string) => read(c, name),
    keepKnown: (c: ConsoleContext, name: string, value: string) =>
      write(c, name, value, knownBrowserLifetime / 1000),
    /** The ticket of a sign-in at the single sign-on provider. */
    takeTicket: (c: ConsoleContext): string => {
      const ticket = read(c, 'console-ticket')
      drop(c, 'console-ticket')
      return ticket
    },
    keepTicket: (c: ConsoleContext, ticket: string) => write(c, 'console-ticket', ticket, 600),
  }
}

export type SessionCookie = ReturnType<typeof makeSessionCookie>

/** `//host` and `/\host` are other sites to a browser. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\p{Cc}]*$/u.test(path)

/** The id that a browser's attempts are counted by; undefined where it hasn't signed in to that account before. */
export async function knownBrowserOf(
  { cookie, operators }: ConsoleParts,
  c: ConsoleContext,
  email: string,
): Promise<string | undefined> {
  const account = emailAddress(email)
  const name = await knownBrowserCookie(operators, account)
  return knownBrowserId(operators, account, cookie.known(c, name))
}

/** A browser with a session becomes a known one, however its operator signed in. */
export const rememberBrowser = ({ cookie, operators }: ConsoleParts) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    await next()
    const email = c.get('session')?.operator.email
    if (email === undefined) return
    const name = await knownBrowserCookie(operators, email)
    const renewed = await renewedKnownBrowser(operators, email, cookie.known(c, name))
    if (renewed !== undefined) cookie.keepKnown(c, name, renewed)
  })
