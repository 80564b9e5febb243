import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { hostCookiePrefix } from '#contract/api-constants.ts'

const day = 24 * 60 * 60

/**
 * Makes the functions that read and write the console's cookies. Over https, a name prefix keeps neighboring hosts from
 * setting cookies. With `SameSite=Lax`, a link in an email opens its page. The console checks the origin of writes.
 */
export function makeConsoleCookies(origin: () => string) {
  const isSecure = () => origin().startsWith('https:')
  const nameOf = (name: string) => (isSecure() ? hostCookiePrefix + name : name)
  const read = (c: Context, name: string): string => getCookie(c, nameOf(name)) ?? ''
  const write = (c: Context, name: string, value: string, seconds: number) =>
    setCookie(c, nameOf(name), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure(),
      maxAge: seconds,
    })
  /** Reads a cookie and deletes it. */
  const take = (c: Context, name: string): string => {
    const value = read(c, name)
    if (value !== '') write(c, name, '', 0)
    return value
  }
  /** Returns the path that the operator requested before the sign-in, kept in a cookie because proxies log URLs. */
  const takeReturnPath = (c: Context): string => {
    const path = take(c, 'console-wanted')
    return isLocalPath(path) ? path : '/'
  }
  return {
    read,
    write,
    take,
    readSecret: (c: Context) => read(c, 'console'),
    writeSecret: (c: Context, secret: string) => write(c, 'console', secret, day),
    /** Gives the browser a new secret, and redirects to the page that the operator requested before the sign-in. */
    signIn: (c: Context, secret: string) => {
      const path = takeReturnPath(c)
      take(c, 'console-left')
      write(c, 'console', secret, day)
      c.set('secret', secret)
      return c.redirect(path, 303)
    },
    /** The next single sign-on must ask for a login, because another person may use this browser by then. */
    signOut: (c: Context) => {
      take(c, 'console')
      write(c, 'console-left', 'yes', day)
    },
    hasSignedOut: (c: Context) => read(c, 'console-left') !== '',
    takeReturnPath,
    keepReturnPath: (c: Context, path: string) => write(c, 'console-wanted', path, 600),
  }
}

export type ConsoleCookies = ReturnType<typeof makeConsoleCookies>

/** Returns whether a path leads to this site. Browsers treat `//host` and `/\host` as URLs of other sites. */
export const isLocalPath = (path: string): boolean => /^\/(?![/\\])[^\p{Cc}]*$/u.test(path)
