import { getCookie, setCookie } from 'hono/cookie'
import { hostPrefix } from '#contract/own-api.ts'
import { knownFor } from '#server/operators/sign-in/known-browsers.ts'
import type { ConsoleContext } from '../console-env.ts'

const day = 24 * 60 * 60

/**
 * The browser's secret. Over https under a name that no neighbouring host can set. `Lax`: a link in a message leads to
 * the page that it names, and not to the sign-in; what writes is asked where it comes from in any case.
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
  return {
    read: (c: ConsoleContext) => read(c, 'console'),
    write: (c: ConsoleContext, secret: string) => write(c, 'console', secret, day),
    /** Who has left is asked by the provider who they are: the next one at this browser may be somebody else. */
    leave: (c: ConsoleContext) => {
      drop(c, 'console')
      write(c, 'console-left', 'yes', day)
    },
    hasLeft: (c: ConsoleContext) => read(c, 'console-left') !== '',
    hasCome: (c: ConsoleContext) => drop(c, 'console-left'),
    /** The page that was asked for before the sign-in; a cookie, as an address would be kept by what stands between. */
    takeWanted: (c: ConsoleContext): string => {
      const path = read(c, 'console-wanted')
      if (path !== '') drop(c, 'console-wanted')
      return isOwnPath(path) ? path : '/'
    },
    want: (c: ConsoleContext, path: string) => write(c, 'console-wanted', path, 600),
    /** That this browser has signed in to an account: see known-browsers.ts. */
    known: (c: ConsoleContext, name: string) => read(c, name),
    keepKnown: (c: ConsoleContext, name: string, value: string) =>
      write(c, name, value, knownFor / 1000),
    /** Of the way to the provider of single sign-on and back. */
    ticket: (c: ConsoleContext) => read(c, 'console-ticket'),
    keepTicket: (c: ConsoleContext, ticket: string) => write(c, 'console-ticket', ticket, 600),
    dropTicket: (c: ConsoleContext) => drop(c, 'console-ticket'),
  }
}

export type SessionCookie = ReturnType<typeof makeSessionCookie>

/** `//host` and `/\host` are other sites to a browser. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\p{Cc}]*$/u.test(path)
