import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { hostCookiePrefix } from '#contract/api-constants.ts'
import { areSecretsEqual, makeSecret, signText } from '#server/operators/secrets.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'

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

const knownCookie = 'console-known'

/** How long the console knows a browser after its first sign-in, in seconds. */
const knownBrowserLifetime = 180 * 24 * 60 * 60

/**
 * Returns the id of a browser in which somebody has signed in to the account before; undefined for other browsers. The
 * server counts a known browser's attempts separately, so that other people's guesses don't delay the operator. The
 * browser's cookie is valid for one account and doesn't name the account.
 */
export async function findKnownBrowser(
  services: ConsoleServices,
  c: ConsoleContext,
  email: string,
): Promise<string | undefined> {
  const [id = '', signature = ''] = services.cookie.read(c, knownCookie).split('.')
  const expected = await signBrowserId(services, toEmailAddress(email), id)
  return areSecretsEqual(signature, expected) ? id : undefined
}

/** Marks each browser with a session as known, however its operator signed in. */
export const rememberBrowser = (services: ConsoleServices) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    await next()
    const email = c.get('session')?.operator.email
    if (email === undefined || (await findKnownBrowser(services, c, email)) !== undefined) return
    const id = makeSecret().slice(0, 22)
    const known = `${id}.${await signBrowserId(services, email, id)}`
    services.cookie.write(c, knownCookie, known, knownBrowserLifetime)
  })

const signBrowserId = async (
  { operators }: ConsoleServices,
  email: string,
  id: string,
): Promise<string> =>
  signText(await operators.readSharedSecret('console known browsers'), JSON.stringify([email, id]))
